import {
  type EntityClass,
  type EntityModel,
  type KeyCodec,
  modelOf,
  TemplatePart,
} from '@rowkey/mapper'
import type { PlanClass } from '@rowkey/query'
import { checkModel } from '../errors/check-arguments.ts'
import { patternsInputError } from '../errors/codes.ts'

/** One weakness of the keys of a model, and what to do about it. */
export interface KeyAdvice {
  /**
   * - `timePartition`: only time decides the partition, so all new rows go to one of them
   * - `onePartition`: all rows share one partition
   * - `rowPerPartition`: each partition holds one row
   * - `scan`: a query reads more than it returns
   */
  readonly kind: 'timePartition' | 'onePartition' | 'rowPerPartition' | 'scan'
  /** The message: the problem, the reason, and the fix. */
  readonly message: string
}

/** The plan of a query, from its `.explain()`. */
export interface PlannedQuery {
  /** How much is read. */
  readonly plan: PlanClass
  /** The filter. */
  readonly filter?: string | undefined
}

/**
 * Tells which keys of a model make a hot partition or do not fit the queries of an application. An empty result means
 * that the rules found nothing; only a load test shows that the keys are good.
 *
 * @param entity - the class or model
 * @param queries - the queries that the application makes, each as `.explain()` shows it
 *
 * @example
 * ```ts
 * for (const { message } of adviseKeys(LogEntry, [logs.query().where({ level: 'error' }).explain()])) console.warn(message)
 * ```
 */
export function adviseKeys<Entity extends object>(
  entity: EntityClass<Entity> | EntityModel<Entity>,
  queries: readonly PlannedQuery[] = [],
): readonly KeyAdvice[] {
  if (typeof entity !== 'function') checkModel(entity, 'adviseKeys')
  if (!Array.isArray(queries)) throw invalidQuery('an array of plans')
  const model = typeof entity === 'function' ? modelOf(entity) : entity
  return [...partitionAdvice(model), ...queries.flatMap(scanAdvice)]
}

function partitionAdvice<Entity extends object>({
  title,
  partitionKey,
  rowKey,
}: EntityModel<Entity>): readonly KeyAdvice[] {
  const parts = partsOf(partitionKey)
  if (parts.length === 0) {
    return [
      {
        kind: 'onePartition',
        message: `${title}: all rows share the PartitionKey ${partitionKey}, so they share the throughput of one partition, about 2,000 rows each second. Add a property that the queries name, such as the id of a user.`,
      },
    ]
  }
  const times = parts.every(({ format }) => format.type === 'DateTime')
  const time: KeyAdvice = {
    kind: 'timePartition',
    message: `${title}: only time decides the PartitionKey ${partitionKey}, so all new rows go to one partition, and the partitions of the past are idle. Add a bucket to the key: key\`\${'day:date'}_\${'bucket:2'}\` with bucketOf, and read all buckets with mergeSorted.`,
  }
  const single: KeyAdvice = {
    kind: 'rowPerPartition',
    message: `${title}: the RowKey ${rowKey} is the same for all rows, so each partition holds one row. No transaction can hold two rows, and each query for several rows reads the table. Move a part of the PartitionKey to the RowKey if rows are read or written together.`,
  }
  return [...(times ? [time] : []), ...(partsOf(rowKey).length === 0 ? [single] : [])]
}

const SCANS: Readonly<Record<PlanClass, string | undefined>> = {
  point: undefined,
  range: undefined,
  partitionScan: 'reads a whole partition',
  tableRange: 'reads a range of partitions',
  tableScan: 'reads the whole table',
}

function invalidQuery(rule: string): Error {
  return patternsInputError({
    code: 'InvalidPatternOption',
    message: `The queries of adviseKeys must be ${rule}, each from .explain() of a query.`,
  })
}

function scanAdvice(query: PlannedQuery): readonly KeyAdvice[] {
  const { plan, filter = 'no filter' }: Partial<PlannedQuery> = Object(query)
  if (plan === undefined || !Object.hasOwn(SCANS, plan)) throw invalidQuery('plans')
  const what = SCANS[plan]
  if (what === undefined) return []
  const cure =
    plan === 'partitionScan'
      ? 'Declare an index on the properties of its condition, or put them into the RowKey.'
      : 'Put a property of its condition into the PartitionKey, or store the rows a second time under a key for this query.'
  return [{ kind: 'scan', message: `The query (${filter}) ${what}. ${cure}` }]
}

function partsOf({ segments }: KeyCodec): readonly TemplatePart[] {
  return segments.filter((segment) => segment instanceof TemplatePart)
}
