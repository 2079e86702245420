import type { TableQuery } from '@rowkey/mapper'
import {
  and,
  beginsOtherwise,
  beginsWith,
  conjunctsOf,
  type EntityKey,
  type FilterNode,
  filter as filterOf,
  type InputError,
  parseFilter,
  usesIn,
} from '@rowkey/odata'
import type { QueryPlan } from '@rowkey/query'
import { keptMark } from '@rowkey/rest'
import type { Command } from 'commander'
import type { DynamicEntity } from 'rowkey'
import { cliInputError } from '../errors/codes.ts'
import type { RowTable } from '../target/open-account.ts'

/** The options that choose rows and properties. */
export interface RowChoice {
  /** An OData filter. */
  readonly filter?: string
  /** The only PartitionKey. */
  readonly partition?: string
  /** The beginning of RowKeys. */
  readonly prefix?: string
  /** The only properties, separated by commas. */
  readonly select?: string
  /** Whether rows are meant, too, that `@rowkey/patterns` keeps beside those of the user. */
  readonly kept?: true
}

/** Adds the options of {@link RowChoice} to a command. */
export function withRowChoice(command: Command): Command {
  return command
    .option(
      '-f, --filter <filter>',
      'an OData filter, such as "PartitionKey eq \'Smith\' and age gt 30"',
    )
    .option('-p, --partition <key>', 'only this PartitionKey')
    .option('--prefix <text>', 'only RowKeys that begin like this; needs --partition')
    .option('--kept', 'also the rows of indexes, sums and messages, which @rowkey/patterns keeps')
}

/** The condition that all rows meet but those that `@rowkey/patterns` keeps beside them. */
const NOT_KEPT = beginsOtherwise('RowKey', keptMark)

/** Tells whether a row is one that `@rowkey/patterns` keeps: an entry of an index, a sum, a message. */
export function isKept({ rowKey }: EntityKey): boolean {
  return rowKey.startsWith(keptMark)
}

/**
 * Makes the query of the options. Without `kept`, it leaves out the rows that `@rowkey/patterns` keeps.
 *
 * @param table - the table
 * @param choice - the options
 * @throws FilterSyntaxError for an invalid filter
 * @throws InputError with the code `InvalidArgument` for a prefix without a partition, and for an empty filter: it is an empty
 * variable of the shell, and no reason to copy the whole table
 */
export function chosenQuery(table: RowTable, choice: RowChoice): RowQuery {
  const query = wholeQuery(table, choice)
  return choice.kept ? query : query.where(NOT_KEPT)
}

/**
 * Explains the query of the options. The condition that leaves kept rows out is in its filter; it changes no plan.
 *
 * @param table - the table
 * @param choice - the options
 * @throws as {@link chosenQuery} does
 */
export function chosenPlan(table: RowTable, choice: RowChoice): QueryPlan {
  const { filter } = chosenQuery(table, choice).explain()
  return { ...wholeQuery(table, choice).explain(), ...(filter !== undefined && { filter }) }
}

/** Makes the query of the options, kept rows included. */
function wholeQuery(table: RowTable, choice: RowChoice): RowQuery {
  const condition = conditionOf(choice)
  const names = selectedNames(choice)
  // A selection reads rows of the same class.
  const query = (names === undefined ? table.query() : table.query().select(...names)) as RowQuery
  return condition === undefined ? query : rowsWhere(table, query, condition)
}

/**
 * Makes the condition of the options; `undefined` for all rows.
 *
 * @param choice - the options
 * @throws as {@link chosenQuery} does
 */
export function conditionOf({ filter, partition, prefix }: RowChoice): FilterNode | undefined {
  if (prefix !== undefined && partition === undefined) {
    throw cliInputError(
      'InvalidArgument',
      '--prefix needs --partition: RowKeys are sorted within a partition.',
    )
  }
  if (filter?.trim() === '') throw emptyOption('filter')
  const conditions = [
    parseFilter(filter ?? ''),
    partition === undefined ? undefined : filterOf`PartitionKey eq ${partition}`,
    prefix === undefined ? undefined : beginsWith('RowKey', prefix),
  ].filter((condition) => condition !== undefined)
  return conditions.length > 1 ? and(...conditions) : conditions[0]
}

/** A query for rows of any kind. */
export type RowQuery = TableQuery<DynamicEntity>

/**
 * Adds a condition to a query. Cosmos DB matches no row by its Timestamp, so what names it is tested after the rows were read.
 *
 * @param table - the table of the query
 * @param query - the query, after its selection
 * @param condition - the condition
 */
export function rowsWhere<Query extends ConditionalQuery>(
  table: RowTable,
  query: Query,
  condition: FilterNode,
): Query {
  const operands = conjunctsOf(condition)
  const isCosmos = table.parts.service.endpoint.flavour === 'cosmos'
  const isLocal = (operand: FilterNode): boolean => isCosmos && namesTimestamp(operand)
  const sent = operands.filter((operand) => !isLocal(operand))
  const tested = operands.filter(isLocal)
  const matching = sent.reduce((rows, operand) => rows.where(operand), query)
  return tested.reduce((rows, operand) => rows.filterLocally(operand), matching)
}

/** A query that takes conditions. */
interface ConditionalQuery {
  where(condition: FilterNode): this
  filterLocally(condition: FilterNode): this
}

function namesTimestamp(condition: FilterNode): boolean {
  return [...usesIn(condition)].some(({ test }) => test?.property === 'Timestamp')
}

/** Adds `--select` to a command. */
export function withSelect(command: Command): Command {
  return command.option('-s, --select <names>', 'only these properties, separated by commas')
}

/**
 * Splits the names of `--select`; `undefined` when all properties are read.
 *
 * @throws InputError with the code `InvalidArgument` when it has no names
 */
function selectedNames({ select }: RowChoice): [string, ...string[]] | undefined {
  if (select === undefined) return undefined
  const [first, ...others] = select
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
  if (first === undefined) throw emptyOption('select')
  return [first, ...others]
}

function emptyOption(name: string): InputError {
  return cliInputError('InvalidArgument', `--${name} is empty. Give a value, or leave it out.`)
}
