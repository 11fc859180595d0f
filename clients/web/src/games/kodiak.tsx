export { generic as game } from "../table/generic";
