export { CompareProvider, type DrawCompared } from "@/features/tape-editor/compare/slot";
export { TapePage } from "@/features/tape-editor/TapePage";
