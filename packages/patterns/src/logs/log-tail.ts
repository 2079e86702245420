import { type EntityModel, ModelError, TemplatePart } from '@rowkey/mapper'
import { keyBounds, parseFilter } from '@rowkey/odata'
import type { QueryPlan, QueryShape, WhereCondition } from '@rowkey/query'
import { type CallOptions, callOptions } from '@rowkey/rest'
import { checkArgument } from '../errors/check-argument.ts'
import { invalidPatternOption } from '../errors/codes.ts'
import { aModel } from '../errors/rules.ts'
import { type Declared, declared } from '../rows/model-table.ts'

/** A log: a model whose RowKey begins with an inverted time; from {@link logTail}. */
export type LogTail<Entity extends object> = Declared<LogTable<Entity>>

/** The newest rows of the partitions of one table, from {@link LogTail}. */
export interface LogTable<Entity extends object> {
  /**
   * Reads the newest rows of a partition, newest first, by one request for each 1,000. Cosmos DB does not sort rows, so there the
   * whole partition is read.
   *
   * @param partition - a condition that names the partition: an equality on each property of the PartitionKey
   * @param count - how many rows, a whole number from 1
   * @throws InputError (`InvalidPatternOption`) for a condition that several partitions meet
   */
  latest(
    partition: WhereCondition<QueryShape<Entity>>,
    count: number,
    options?: CallOptions,
  ): Promise<Entity[]>
}

/**
 * Makes the reader of the newest rows of a model whose RowKey begins with an inverted time. Rows are sorted by RowKey,
 * so the newest row of a partition comes first, and the newest rows cost as little as any range.
 *
 * @param model - the model: its RowKey begins with a part such as `${'at:inverted'}`, after fixed text at most
 * @throws ModelError when its rows are not sorted from new to old
 *
 * @example
 * ```ts
 * const tail = logTail(Expense).on(account) // rowKey: key`${'at:inverted'}_${'id'}`
 * const last = await tail.latest({ employee: 'jones' }, 10)
 * ```
 */
export function logTail<Entity extends object, Input extends object, Key extends object>(
  model: EntityModel<Entity, Input, Key>,
): LogTail<Entity> {
  checkArgument(aModel, model, 'logTail')
  const first = model.rowKey.segments.find((segment) => typeof segment !== 'string')
  const isNewestFirst =
    first instanceof TemplatePart &&
    first.order === 'descending' &&
    first.format.type === 'DateTime'
  if (!isNewestFirst) {
    throw new ModelError({
      className: model.title,
      problem: `The RowKey ${model.rowKey} does not sort rows from new to old. Begin it with an inverted time: key\`\${'at:inverted'}_\${'id'}\`.`,
    })
  }
  const given = model as EntityModel<object, object, object>
  return declared(given, `logTail(${given.title})`, ({ account, name }) => ({
    async latest(partition, count, call = {}) {
      callOptions.check(call, 'latest of a log')
      // A table of one type takes conditions on its own shape.
      const rows = account
        .table(model, name)
        .query()
        .where(partition as never)
      const partitionKey = partitionIn(rows.explain(), name)
      const isSorted = account.service.endpoint.flavour !== 'cosmos'
      // Cosmos DB does not sort rows, and `inPartitions` does.
      const sorted = isSorted ? rows : rows.inPartitions([partitionKey])
      return sorted.take(count).toArray(call)
    },
  }))
}

/** Rows are sorted by partition first, so the first rows of several partitions are not the newest. */
function partitionIn({ filter = '' }: QueryPlan, table: string): string {
  const { exact } = keyBounds(parseFilter(filter)).partitionKey
  if (exact !== undefined) return exact
  throw invalidPatternOption(
    `latest of the log in table ${table} needs a condition that names one partition, because rows are sorted within a partition only; got ${filter}. Add an equality on each property of the PartitionKey.`,
  )
}
