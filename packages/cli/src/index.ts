export { runCommand } from './command/run-command.ts'
export {
  type Explanation,
  explanation,
} from './condition/explain-text.ts'
export {
  chosenPlan,
  chosenQuery,
  type RowChoice,
  type RowQuery,
} from './condition/query-options.ts'
export { type CliErrorCode, type cliErrorCodes, cliInputError } from './errors/codes.ts'
export { isUnion, type ModelUnion } from './model/load-model.ts'
export { modelsIn } from './model/models-in.ts'
export { printRows, type RowFormat } from './output/row-printer.ts'
export { cellText } from './rows/cell-text.ts'
export type { TextForm } from './rows/csv-columns.ts'
export { readCell } from './rows/read-csv.ts'
export type { ShellProcess } from './shell/process-shell.ts'
export type { AccountFacts, Studio, StudioModels, StudioSettings } from './studio/load-studio.ts'
export { warningOfKeptRows } from './target/kept-rows.ts'
export { lacksPermission } from './target/lacks-permission.ts'
export type { RowTable } from './target/open-account.ts'
export { failureText } from './transfer/failure-text.ts'
