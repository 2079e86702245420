export type { BadRowPolicy } from './bad-row.ts'
export { bindQuery } from './bind-query.ts'
export { BoundQuery } from './bound-query.ts'
export type { CompiledQuery } from './compile-query.ts'
export { Condition, type ConditionLike } from './condition/condition.ts'
export type { Operand } from './condition/operand.ts'
export {
  anyOf,
  between,
  eq,
  ge,
  gt,
  le,
  lt,
  ne,
  PropertyTest,
  startsWith,
  type TestOperator,
} from './condition/property-test.ts'
export type {
  AnyField,
  BooleanField,
  ComparableField,
  ComparedField,
  QueryField,
  QueryFields,
  SecretField,
  StringField,
} from './condition/query-field.ts'
export type { MatchOf, QueryMatch } from './condition/query-match.ts'
export type { WhereCallback, WhereCondition } from './condition/where-condition.ts'
export { dynamicQueryModel } from './dynamic-query-model.ts'
export { type EntityResolver, resolveEntity } from './entity-resolver.ts'
export {
  ContinuationLoopError,
  type ContinuationLoopErrorOptions,
} from './errors/continuation-loop-error.ts'
export { NoRowError, type NoRowErrorOptions } from './errors/no-row-error.ts'
export {
  PartitionScanError,
  type PartitionScanErrorOptions,
} from './errors/partition-scan-error.ts'
export { QueryError, type QueryErrorOptions } from './errors/query-error.ts'
export { ResolverError, type ResolverErrorOptions } from './errors/resolver-error.ts'
export { TableScanError, type TableScanErrorOptions } from './errors/table-scan-error.ts'
export { IterableQuery } from './iterable-query.ts'
export type { KeyPart, KeyTemplate, KeyTemplates } from './key/key-template.ts'
export type { LocalCondition } from './local-filter.ts'
export type { ParallelOptions, ParallelRanges } from './parallel/parallel-options.ts'
export type { PlanClass } from './plan-class.ts'
export type { Projection, ProjectionOf, Resolved, Selection } from './projection.ts'
export { QueryBuilder, queryOf } from './query-builder.ts'
export type { DynamicQueryModel, QueryColumn, QueryModel } from './query-model.ts'
export type { ParallelNode, QueryNode, RowOrder, RowPredicate } from './query-node.ts'
export { type FilterPlan, planOf, type QueryPlan } from './query-plan.ts'
export type { DynamicShape, PropertyOf, QueryShape } from './query-shape.ts'
export type {
  FullPage,
  PageOptions,
  PageRequest,
  PageStart,
  QueryOptions,
  QueryPage,
  QuerySource,
  RowRequest,
  TokenSeal,
} from './query-source.ts'
export type { AnyQuerySource, RawQuerySource } from './raw-query-source.ts'
export type { HandlerOptions, RowHandler } from './run/handler-calls.ts'
export type { QueryRun } from './run/query-run.ts'
export { type InOrderOptions, resultsInOrder } from './run/results-in-order.ts'
export { RunnableQuery } from './runnable-query.ts'
export { checkScanPolicy, type ScanPolicy } from './scan-policy.ts'
export type { IsSecret, Secret, SecretMark } from './secret.ts'
export { TokenTrail } from './token-trail.ts'
