export { type PatternsErrorCode, patternsErrorCodes } from './errors/codes.ts'
export { UniqueValueError, type UniqueValueErrorOptions } from './errors/unique-value-error.ts'
export { declareIndexes, Indexes, type IndexesOptions } from './indexes/declare-indexes.ts'
export type { IndexState } from './indexes/index-catalogue.ts'
export type { IndexDefinition, IndexDefinitions } from './indexes/index-definition.ts'
export type { IndexFinding, IndexProgress } from './indexes/index-finding.ts'
export {
  IndexedTable,
  type IndexedTableOptions,
  type ScrubOptions,
} from './indexes/indexed-table.ts'
