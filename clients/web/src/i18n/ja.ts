import type { Catalogue } from "./index";

export const catalogue: Catalogue = {};
