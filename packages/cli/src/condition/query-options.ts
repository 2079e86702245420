import type { TableQuery } from '@rowkey/mapper'
import { type FilterNode, type InputError, parseFilter, usesIn } from '@rowkey/odata'
import type { Command } from 'commander'
import { type DynamicEntity, startsWith } from 'rowkey'
import { cliInputError } from '../errors/codes.ts'
import type { RowTable } from '../target/open-account.ts'

/** The options that choose rows and properties. */
export interface RowChoice {
  readonly filter?: string
  readonly partition?: string
  readonly prefix?: string
  readonly select?: string
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
}

/**
 * Makes the query of the options.
 *
 * @param table - the table
 * @param choice - the options
 * @throws FilterSyntaxError for an invalid filter
 * @throws InputError with the code `InvalidArgument` for a prefix without a partition, and for an empty filter: it is an empty
 * variable of the shell, and no reason to copy the whole table
 */
export function chosenQuery(table: RowTable, choice: RowChoice): RowQuery {
  const { filter, partition, prefix } = choice
  if (prefix !== undefined && partition === undefined) {
    throw cliInputError(
      'InvalidArgument',
      '--prefix needs --partition: RowKeys are sorted within a partition.',
    )
  }
  if (filter?.trim() === '') throw emptyOption('filter')
  const names = selectedNames(choice)
  // A selection reads rows of the same class.
  let query = (names === undefined ? table.query() : table.query().select(...names)) as RowQuery
  const condition = parseFilter(filter ?? '')
  if (condition !== undefined) query = rowsWhere(table, query, condition)
  if (partition !== undefined) query = query.where({ partitionKey: partition })
  if (prefix !== undefined) query = query.where({ rowKey: startsWith(prefix) })
  return query
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
export function rowsWhere(table: RowTable, query: RowQuery, condition: FilterNode): RowQuery {
  const operands = condition.kind === 'and' ? condition.operands : [condition]
  const isCosmos = table.parts.service.endpoint.flavour === 'cosmos'
  const isLocal = (operand: FilterNode): boolean => isCosmos && namesTimestamp(operand)
  const sent = operands.filter((operand) => !isLocal(operand))
  const tested = operands.filter(isLocal)
  const matching = sent.reduce((rows, operand) => rows.where(operand), query)
  return tested.reduce((rows, operand) => rows.filterLocally(operand), matching)
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
