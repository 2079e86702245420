export { bindQuery, queryOf } from './bind-query.ts'
export type { QueryBuilder } from './compile/query-builder.ts'
export type { QueryPlan } from './compile/query-plan.ts'
export {
  ACCOUNT_BOUNDS,
  ConcurrencyLevel,
  type LevelBounds,
  type LevelClock,
  type RequestSlot,
} from './concurrency/concurrency-level.ts'
export { levelOfRun } from './concurrency/level-of-run.ts'
export { type PassOptions, RequestGate } from './concurrency/request-gate.ts'
export {
  type InOrderOptions,
  type OrderedWork,
  resultsInOrder,
} from './concurrency/results-in-order.ts'
export { Condition, type ConditionLike } from './condition/condition.ts'
export {
  anyOf,
  between,
  eq,
  ge,
  gt,
  le,
  lt,
  missing,
  ne,
  notMissing,
  type Operand,
  type PropertyTest,
  startsWith,
  type TestOperator,
} from './condition/property-test.ts'
export type {
  AnyField,
  BooleanField,
  ComparableField,
  ComparedField,
  MatchOf,
  QueryField,
  QueryFields,
  QueryMatch,
  SecretField,
  StringField,
  WhereCallback,
  WhereCondition,
} from './condition/where-condition.ts'
export type { QueryErrorCode, queryErrorCodes } from './errors/codes.ts'
export { NoRowError, type NoRowErrorOptions } from './errors/no-row-error.ts'
export {
  type DynamicQueryModel,
  dynamicQueryModel,
  type KeyPart,
  type KeyTemplate,
  type KeyTemplates,
  type QueryColumn,
  type QueryModel,
  selectNames,
} from './model/query-model.ts'
export type {
  DynamicShape,
  IsSecret,
  Projection,
  ProjectionOf,
  PropertyOf,
  QueryShape,
  Resolved,
  Secret,
  SecretMark,
  Selection,
  StorableMembers,
  StorableName,
} from './model/query-shape.ts'
export type { LocalCondition } from './node/local-filter.ts'
export {
  type BadRowPolicy,
  type CompiledQuery,
  type EntityResolver,
  type ParallelNode,
  type QueryNode,
  queryNode,
  type RowOrder,
  type RowPredicate,
} from './node/query-node.ts'
export type { ParallelOptions, ParallelRanges } from './parallel/parallel-node.ts'
export {
  type FilterPlan,
  type PlanClass,
  planOf,
  type ScanPolicy,
  scanPolicyRule,
} from './plan/filter-plan.ts'
export { LIST_PRICE, priceOf, type RequestRange } from './plan/request-range.ts'
export { Query } from './query.ts'
export type { RowHandler } from './read/for-each-row.ts'
export { invalidPlace, placeParts, printPlace } from './read/place-token.ts'
export type { RunnableQuery } from './read/runnable-query.ts'
export { resolveEntity } from './run/row-reader.ts'
export {
  type AnyQuerySource,
  type FullPage,
  type HandlerOptions,
  type PageOptions,
  type PageRequest,
  type PageStart,
  type QueryOptions,
  type QueryPage,
  type QueryRun,
  type QuerySource,
  type RawQuerySource,
  type RowRequest,
  resolverRule,
  type TokenSeal,
} from './source/query-source.ts'
