import type { TableQuery } from '@rowkey/mapper'
import { type InputError, parseFilter } from '@rowkey/odata'
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
export function chosenQuery(table: RowTable, choice: RowChoice): TableQuery<DynamicEntity> {
  const { filter, partition, prefix } = choice
  if (prefix !== undefined && partition === undefined) {
    throw cliInputError(
      'InvalidArgument',
      '--prefix needs --partition: RowKeys are sorted within a partition.',
    )
  }
  if (filter?.trim() === '') throw emptyOption('filter')
  let query = table.query()
  const condition = parseFilter(filter ?? '')
  if (condition !== undefined) query = query.where(condition)
  if (partition !== undefined) query = query.where({ partitionKey: partition })
  if (prefix !== undefined) query = query.where({ rowKey: startsWith(prefix) })
  return query
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
export function selectedNames({ select }: RowChoice): [string, ...string[]] | undefined {
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
