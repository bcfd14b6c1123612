/** Another tape next to this one.
 *
 * - Compared: the open tape and the other one. `app` decides what draws them, because features do
 *   not import each other.
 * - Compare search: finds any tape to compare with the open one.
 */
export { CompareSearch } from "@/features/tape-editor/compare/CompareSearch";
export {
  CompareProvider,
  type DrawCompared,
  useDrawCompared,
} from "@/features/tape-editor/compare/slot";
