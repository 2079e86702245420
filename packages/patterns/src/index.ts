export {
  Copies,
  type CopiesOptions,
  declareCopies,
} from './copies/declare-copies.ts'
export { type CopiesTables, HolderTable } from './copies/holder-table.ts'
export type { DerivedState } from './derived/catalogue.ts'
export type { DerivedFinding, DerivedProgress, Summary } from './derived/compare.ts'
export type { BuildOptions, ScrubOptions } from './derived/upkeep-options.ts'
export { type PatternsErrorCode, patternsErrorCodes } from './errors/codes.ts'
export { UniqueValueError } from './errors/unique-value-error.ts'
export { declareIndexes, type IndexesOptions } from './indexes/declare-indexes.ts'
export type {
  IndexDefinition,
  IndexValues,
} from './indexes/index-definition.ts'
export type { IndexedRows, IndexesWithin } from './indexes/indexed-rows.ts'
export { IndexedTable } from './indexes/indexed-table.ts'
export {
  type BlobClient,
  type BlobContainerClient,
  blobStore,
} from './large-values/blob-store.ts'
export { chunkStore } from './large-values/chunk-store.ts'
export {
  declareLargeValues,
  type LargeValuesOptions,
  type LargeValuesWithin,
} from './large-values/declare-large-values.ts'
export type { LargeValueStore, StoredValue } from './large-values/large-value-store.ts'
export {
  type LargeValueSweep,
  type LargeValueSweepOptions,
  LargeValueTable,
} from './large-values/large-value-table.ts'
export type { ManyWritesOptions } from './options/pattern-options.ts'
export { declareOutbox, type OutboxOptions } from './outbox/declare-outbox.ts'
export type { EntityTransition } from './outbox/outbox-keeper.ts'
export { OutboxTable } from './outbox/outbox-table.ts'
export type { Period } from './periods/period.ts'
export {
  type PeriodTable,
  PeriodTableSet,
  type PeriodTablesOptions,
  type TimeSpan,
} from './periods/period-table-set.ts'
export { type PeriodTables, periodTables } from './periods/period-tables.ts'
export type { Declared } from './rows/model-table.ts'
export type { RestrictedTable, UnfixedValues } from './rows/rows-within.ts'
export {
  declareSummaries,
  type SummariesOptions,
} from './summaries/declare-summaries.ts'
export type { SummaryDefinition } from './summaries/summary-definition.ts'
export type { SummariesWithin, SummaryRows } from './summaries/summary-rows.ts'
export {
  type SummaryGroup,
  SummaryTable,
} from './summaries/summary-table.ts'
export { wideEntity } from './wide/wide-entity.ts'
export { WideTable } from './wide/wide-table.ts'
export type { DeadLetter } from './worker/dead-letter.ts'
export type { Delivery, Handler } from './worker/delivery.ts'
export { memoryQueue } from './worker/memory-queue.ts'
export type { Queue, QueueDepth, QueueMessage, ReceiveOptions } from './worker/queue.ts'
export {
  type StorageQueueClient,
  type StorageQueueMessage,
  storageQueue,
} from './worker/storage-queue.ts'
export { tableQueue } from './worker/table-queue.ts'
export { Work, type WorkerOptions, worker } from './worker/work.ts'
export { type JobTally, Worker } from './worker/worker.ts'
