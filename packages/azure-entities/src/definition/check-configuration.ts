import type { InputError } from '@rowkey/odata'
import { entitiesInputError } from '../errors/codes.ts'
import type { KeyDefinition } from '../keys/key.ts'
import type { ConfigureOptions } from './configure-options.ts'
import type { Definition } from './definition.ts'

const RESERVED = [
  'PartitionKey',
  'RowKey',
  'Timestamp',
  'Version',
  'Signature',
  'version',
  'modify',
  'remove',
  'reload',
]

const NAME = /^[a-zA-Z_-][a-zA-Z0-9_-]*$/

/**
 * Checks the options of `configure` against the rules and the version before.
 *
 * @throws InputError (`InvalidConfiguration`) that names the option
 */
export function checkConfiguration(
  options: ConfigureOptions,
  previous: Definition | undefined,
): void {
  if (typeof options !== 'object' || options === null) throw invalid('options must be an object.')
  checkVersion(options, previous)
  checkNames(options)
  checkKeys(options, previous)
  if (previous === undefined) return
  if (typeof options.migrate !== 'function') {
    throw invalid(
      `migrate is required in version ${options.version}: a function that returns its properties.`,
    )
  }
  if (previous.mustSaySigning && typeof options.signEntities !== 'boolean') {
    throw invalid('signEntities is required, true or false: an earlier version has stated it.')
  }
}

function checkVersion({ version }: ConfigureOptions, previous: Definition | undefined): void {
  const next = (previous?.version ?? 0) + 1
  if (version === next) return
  throw invalid(
    next === 1
      ? `version must be 1, not ${version}. Configure later versions on the class of the version before.`
      : `version must be ${next}, which follows ${next - 1}, not ${version}.`,
  )
}

function checkNames({ properties, context = [] }: ConfigureOptions): void {
  if (typeof properties !== 'object' || properties === null) {
    throw invalid('properties must be an object of names and types.')
  }
  for (const [name, type] of Object.entries(properties)) {
    checkName(name)
    if (typeof type !== 'function') throw invalid(`properties.${name} must be one of Entity.types.`)
  }
  if (!Array.isArray(context)) throw invalid('context must be an array of names.')
  for (const name of context) {
    checkName(name)
    if (name in properties)
      throw invalid(`context has the name "${name}" of a property. Rename one.`)
  }
}

function checkName(name: string): void {
  if (
    typeof name === 'string' &&
    NAME.test(name) &&
    !name.startsWith('__') &&
    !RESERVED.includes(name)
  ) {
    return
  }
  throw invalid(
    `the name "${name}" cannot be used. Names have letters, digits, _ and -, do not begin with a digit or __, and are not ${RESERVED.join(', ')}.`,
  )
}

function checkKeys(options: ConfigureOptions, previous: Definition | undefined): void {
  const { partitionKey, rowKey } = options
  if (previous === undefined) {
    if (!isKey(partitionKey) || !isKey(rowKey)) {
      throw invalid('partitionKey and rowKey are required in version 1. Use Entity.keys.')
    }
    return
  }
  checkSame('partitionKey', partitionKey, previous.partitionKeyDefinition)
  checkSame('rowKey', rowKey, previous.rowKeyDefinition)
  const covered = [...previous.partitionKey.covers, ...previous.rowKey.covers]
  for (const name of covered) {
    if (options.properties[name] === previous.mapping[name]?.constructor) continue
    throw invalid(`properties.${name} is a part of the key and must keep its name and its type.`)
  }
}

function checkSame(option: string, given: KeyDefinition | undefined, earlier: KeyDefinition): void {
  if (given === undefined) return
  const isSame = given.kind === earlier.kind && given.parts.join('\n') === earlier.parts.join('\n')
  if (!isSame) throw invalid(`${option} cannot change after version 1. Leave it out.`)
}

const isKey = (key: KeyDefinition | undefined): boolean => typeof key?.bind === 'function'

const invalid = (rule: string): InputError =>
  entitiesInputError('InvalidConfiguration', `configure: ${rule}`)
