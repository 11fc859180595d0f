import type { JSX } from "preact";
export const PractisePage = (): JSX.Element => <main class="page" />;
