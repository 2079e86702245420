export type { CopyFields } from './copies/copy-rules.ts'
export {
  Copies,
  type CopiesOptions,
  declareCopies,
} from './copies/declare-copies.ts'
export { type CopiesTables, HolderTable } from './copies/holder-table.ts'
export type { DerivedState } from './derived/catalogue.ts'
export type { DerivedFinding, DerivedProgress, GroupTotals } from './derived/compare.ts'
export type { BuildOptions, ScrubOptions } from './derived/upkeep-options.ts'
export { type PatternsErrorCode, patternsErrorCodes } from './errors/codes.ts'
export { UniqueValueError, type UniqueValueErrorOptions } from './errors/unique-value-error.ts'
export { declareIndexes, type Indexes, type IndexesOptions } from './indexes/declare-indexes.ts'
export type {
  CheckedIndexes,
  IndexDefinition,
  IndexDefinitions,
  IndexValues,
} from './indexes/index-definition.ts'
export { IndexedTable } from './indexes/indexed-table.ts'
export {
  type BlobCallOptions,
  type BlobClient,
  type BlobContainerClient,
  type BlobListItem,
  blobStore,
} from './large-values/blob-store.ts'
export { type ChunkStoreOptions, chunkStore } from './large-values/chunk-store.ts'
export {
  declareLargeValues,
  type LargeValues,
  type LargeValuesOptions,
} from './large-values/declare-large-values.ts'
export type { LargeValueStore, StoredValue } from './large-values/large-value-store.ts'
export {
  type LargeValueSweep,
  type LargeValueSweepOptions,
  LargeValueTable,
} from './large-values/large-value-table.ts'
export type { ManyWritesOptions } from './options/pattern-options.ts'
export { declareOutbox, type Outbox, type OutboxOptions } from './outbox/declare-outbox.ts'
export type { EntityTransition } from './outbox/outbox-keeper.ts'
export { OutboxTable } from './outbox/outbox-table.ts'
export type { Period } from './periods/period.ts'
export {
  type PeriodTable,
  PeriodTableSet,
  type PeriodTablesOptions,
  type Refine,
  type TimeSpan,
} from './periods/period-table-set.ts'
export { type PeriodTables, periodTables } from './periods/period-tables.ts'
export type { Declared, PatternTableOptions } from './rows/model-table.ts'
export type { UnreadableRow } from './rows/unreadable.ts'
export {
  declareSummaries,
  type Summaries,
  type SummariesOptions,
} from './summaries/declare-summaries.ts'
export type {
  CheckedSummaries,
  GroupOf,
  GroupValues,
  SummableName,
  Summary,
  SummaryDefinition,
  SummaryDefinitions,
  SummedName,
  SumsOf,
} from './summaries/summary-definition.ts'
export {
  type SummaryGroup,
  SummaryTable,
} from './summaries/summary-table.ts'
export {
  type AllOf,
  type WideEntity,
  wideEntity,
} from './wide/wide-entity.ts'
export { type WidePart, WideTable } from './wide/wide-table.ts'
export type { DeadLetter } from './worker/dead-letter.ts'
export type { Delivery, Handler, Handlers } from './worker/delivery.ts'
export { type MemoryQueueOptions, memoryQueue } from './worker/memory-queue.ts'
export type { Queue, QueueDepth, QueueMessage, ReceiveOptions } from './worker/queue.ts'
export {
  type StorageQueueClient,
  type StorageQueueMessage,
  storageQueue,
} from './worker/storage-queue.ts'
export { type TableQueueOptions, tableQueue } from './worker/table-queue.ts'
export { type OpenQueue, Work, type WorkerOptions, worker } from './worker/work.ts'
export { type JobTally, Worker } from './worker/worker.ts'
