import { type Command, InvalidArgumentError } from 'commander'
import { DynamicEntity } from 'rowkey'
import { cliInputError } from '../errors/codes.ts'

/** New names of properties, by the stored ones. */
export type Renames = Readonly<Record<string, string>>

/** Adds `--rename` to a command. */
export function withRename(command: Command): Command {
  return command.option(
    '--rename <old=new>',
    'gives a property another name, such as id=id_; repeatable',
    readRename,
    {},
  )
}

function readRename(text: string, earlier: Renames): Renames {
  const [, from, to] = /^([^=]+)=([^=]+)$/.exec(text) ?? []
  if (from === undefined || to === undefined || from === to) {
    throw new InvalidArgumentError('Give old=new.')
  }
  if (Object.hasOwn(earlier, from)) throw new InvalidArgumentError(`${from} has two new names.`)
  return { ...earlier, [from]: to }
}

/**
 * Returns a row whose properties have other names, in the same order.
 *
 * @param row - the row
 * @param renames - the names
 * @throws InputError with the code `InvalidArgument` when the row has a property of the new name, too
 */
export function renamedRow(row: DynamicEntity, renames: Renames): DynamicEntity {
  const names = [...row.properties.keys()]
  if (!names.some((name) => Object.hasOwn(renames, name))) return row
  const renamed = new DynamicEntity(row.partitionKey, row.rowKey)
  for (const [name, property] of row.properties) {
    const fresh = Object.hasOwn(renames, name) ? (renames[name] as string) : name
    if (renamed.properties.has(fresh)) {
      const key = JSON.stringify([row.partitionKey, row.rowKey])
      throw cliInputError('InvalidArgument', `The row ${key} has two properties ${fresh}.`)
    }
    renamed.properties.set(fresh, property)
  }
  return renamed
}
