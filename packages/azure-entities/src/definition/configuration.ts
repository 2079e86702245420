import { anything, declareOptions, type InputError } from '@rowkey/odata'
import { entitiesInputError } from '../errors/codes.ts'
import type { KeyDefinition } from '../keys/keys.ts'
import type { BaseType, PropertyType } from '../types/base-type.ts'
import type { Definition, Properties } from './definition.ts'

/** The types of an entity's properties, by name. */
export type PropertyTypes = Readonly<Record<string, PropertyType<never> | PropertyType>>

/** The values of an entity, from the types of its properties. */
export type ValuesOf<Declared extends PropertyTypes> = {
  -readonly [Name in keyof Declared]: Declared[Name] extends PropertyType<infer Value>
    ? Value
    : never
}

/** The options of `Entity.configure`. */
export interface ConfigureOptions<Declared extends PropertyTypes = PropertyTypes> {
  /** The version of the properties: 1, then 2 for a class that continues version 1, and so on. */
  readonly version: number
  /** The properties and their types. */
  readonly properties: Declared
  /** How PartitionKey is made. Required in version 1; later versions may only repeat it. */
  readonly partitionKey?: KeyDefinition | undefined
  /** How RowKey is made. Required in version 1; later versions may only repeat it. */
  readonly rowKey?: KeyDefinition | undefined
  /**
   * Whether rows are signed with the `signingKey` of `setup`. Once a version has said it, later versions
   * must say it, too.
   *
   * @defaultValue `false`
   */
  readonly signEntities?: boolean | undefined
  /**
   * The names of the values that `setup` puts on every entity.
   *
   * @defaultValue `[]`
   */
  readonly context?: readonly string[] | undefined
  /**
   * Makes the properties of this version from those of the version before. Required from version 2 on. The
   * keys must come out the same. `this` has the values of `context`.
   */
  // A method, so that programs may type the older properties.
  migrate?(this: Readonly<Properties>, item: Properties): ValuesOf<Declared>
}

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
  // The members of every entity.
  '_partitionKey',
  '_rowKey',
  '_version',
  '_properties',
  '_etag',
]

const configureOptions = declareOptions<ConfigureOptions>({
  context: anything,
  migrate: anything,
  partitionKey: anything,
  properties: anything,
  rowKey: anything,
  signEntities: anything,
  version: anything,
})

const NAME = /^[a-zA-Z_-][a-zA-Z0-9_-]*$/

/**
 * Checks the options of `configure` against the rules and the version before.
 *
 * @throws InputError (`InvalidConfiguration`) that names the option
 */
function checkConfiguration(options: ConfigureOptions, previous: Definition | undefined): void {
  configureOptions.check(options, 'configure')
  checkVersion(options, previous)
  checkNames(options)
  checkKeys(options, previous)
  const { signEntities } = options
  if (signEntities !== undefined && typeof signEntities !== 'boolean') {
    throw invalid('signEntities must be true or false.')
  }
  if (previous === undefined) return
  if (typeof options.migrate !== 'function') {
    throw invalid(
      `migrate is required in version ${options.version}: a function that returns its properties.`,
    )
  }
  if (previous.mustSaySigning && signEntities === undefined) {
    throw invalid('signEntities is required, true or false: an earlier version has stated it.')
  }
}

function checkVersion({ version }: ConfigureOptions, previous: Definition | undefined): void {
  const next = (previous?.version ?? 0) + 1
  if (version === next) return
  const given = String(version)
  throw invalid(
    next === 1
      ? `version must be 1, not ${given}. Configure later versions on the class of the version before.`
      : `version must be ${next}, which follows ${next - 1}, not ${given}.`,
  )
}

function checkNames({ properties, context = [] }: ConfigureOptions): void {
  if (typeof properties !== 'object' || properties === null) {
    throw invalid('properties must be an object of names and types.')
  }
  for (const name of Object.keys(properties)) checkName(name)
  if (!Array.isArray(context)) throw invalid('context must be an array of names.')
  for (const name of context) {
    checkName(name)
    if (name in properties)
      throw invalid(`context has the name "${name}" of a property. Rename one.`)
  }
}

/** Makes the type of a property. The classes of JavaScript, and the function that makes a Schema, are easily mistaken for one. */
function typeFor(name: string, Type: PropertyType): BaseType {
  const made = attemptToMake(name, Type)
  if (typeof made.serialize === 'function' && typeof made.deserialize === 'function') return made
  throw invalidType(name)
}

function attemptToMake(name: string, Type: PropertyType): BaseType {
  try {
    return new Type(name)
  } catch (error) {
    throw invalidType(
      name,
      `; it throws: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

const invalidType = (name: string, reason = ''): InputError =>
  invalid(
    `properties.${name} must be one of Entity.types, such as Entity.types.String or Entity.types.Schema(schema)${reason}.`,
  )

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
    `the name "${String(name)}" cannot be used. Names have letters, digits, _ and -, do not begin with a digit or __, and are not ${RESERVED.join(', ')}.`,
  )
}

function checkKeys(options: ConfigureOptions, previous: Definition | undefined): void {
  const { partitionKey, rowKey } = options
  if (previous === undefined) return void firstKeys(options)
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
  if (!isKey(given)) throw invalid(`${option} must be a key of Entity.keys.`)
  const isSame = given.kind === earlier.kind && given.parts.join('\n') === earlier.parts.join('\n')
  if (!isSame) throw invalid(`${option} cannot change after version 1. Leave it out.`)
}

/** Returns the keys of version 1. */
function firstKeys({ partitionKey, rowKey }: ConfigureOptions) {
  if (isKey(partitionKey) && isKey(rowKey)) {
    return { partitionKeyDefinition: partitionKey, rowKeyDefinition: rowKey }
  }
  throw invalid(
    "partitionKey and rowKey are required in version 1. Use Entity.keys, such as Entity.keys.StringKey('id').",
  )
}

const isKey = (key: KeyDefinition | undefined): key is KeyDefinition =>
  typeof key === 'object' && typeof key?.bind === 'function'

const invalid = (rule: string): InputError =>
  entitiesInputError('InvalidConfiguration', `configure: ${rule}`)

/**
 * Makes a version of a class from the options of `configure`.
 *
 * @param options - the options
 * @param previous - the version that the class already has
 * @throws InputError (`InvalidConfiguration` or `InvalidKey`)
 */
export function toDefinition(
  options: ConfigureOptions,
  previous: Definition | undefined,
): Definition {
  checkConfiguration(options, previous)
  const { version, properties, signEntities, context = [], migrate } = options
  const mapping: Record<string, BaseType> = Object.create(null)
  for (const [name, type] of Object.entries(properties)) {
    mapping[name] = typeFor(name, type as PropertyType)
  }
  const { partitionKeyDefinition, rowKeyDefinition } = previous ?? firstKeys(options)
  const encrypts = Object.values(mapping).some((type) => type.isEncrypted)
  return {
    version,
    mapping,
    partitionKeyDefinition,
    rowKeyDefinition,
    partitionKey: partitionKeyDefinition.bind(mapping),
    rowKey: rowKeyDefinition.bind(mapping),
    signs: signEntities === true,
    mustSaySigning: signEntities === true || previous?.mustSaySigning === true,
    needsSigningKey: signEntities === true || previous?.needsSigningKey === true,
    needsCryptoKey: encrypts || previous?.needsCryptoKey === true,
    context,
    migrate,
    previous,
  }
}

/** The properties that `create` needs, from the types of a class. */
export type PropertiesOf<Class> =
  Class extends HasProperties<infer Declared> ? ValuesOf<Declared> : Properties

/** A class with declared properties. */
export interface HasProperties<Declared extends PropertyTypes> {
  /** The types of the properties, as they were configured. */
  readonly __properties: Declared
}
