export { CompareProvider, type DrawCompared } from "@/features/tape-editor/compare";
export { TapePage } from "@/features/tape-editor/TapePage";
