import type { JSX } from "preact";
export const ReplayPage = (_props: { code: string; number: number; at: string }): JSX.Element => <main class="page" />;
export const ReplaysPage = (): JSX.Element => <main class="page" />;
