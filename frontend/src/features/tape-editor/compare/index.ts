/** Another tape beside this one.
 *
 * - Compared: the open tape and the other one. `app` says what draws them: features know none.
 * - Compare search: finds any tape to put beside the open one.
 */
export { CompareSearch } from "@/features/tape-editor/compare/CompareSearch";
export {
  CompareProvider,
  type DrawCompared,
  useDrawCompared,
} from "@/features/tape-editor/compare/slot";
