import type { Definition, Secrets } from '../definition/definition.ts'
import { entitiesInputError } from '../errors/codes.ts'
import { type TableClient, type TimingReport, tableClient } from '../operations/table-client.ts'
import { sendsSas, serviceOf } from './service-of.ts'
import { invalidSetup, type SetupOptions, tableNameOf } from './setup-options.ts'

/** One record for each class that was made, which its subclasses inherit. */
class ClassRecords<Value> {
  readonly #byPrototype = new WeakMap<object, Value>()

  /** Keeps the record of a class, by its prototype. */
  set(prototype: object, value: Value): void {
    this.#byPrototype.set(prototype, value)
  }

  /** Returns the record of the nearest class of a prototype or an instance. */
  of(start: object): Value | undefined {
    for (let place: object | null = start; place !== null; place = Object.getPrototypeOf(place)) {
      const value = this.#byPrototype.get(place)
      if (value !== undefined) return value
    }
    return undefined
  }
}

/** What `configure` made of each class. */
export const definitions: ClassRecords<Definition> = new ClassRecords()

/** What `setup` made of each class. */
export const bindings: ClassRecords<Binding> = new ClassRecords()

/**
 * Returns what `configure` made of a class.
 *
 * @param prototype - its prototype, or an instance
 * @throws InputError (`InvalidState`) before `configure`
 */
export function definitionOf(prototype: object): Definition {
  const definition = definitions.of(prototype)
  if (definition !== undefined) return definition
  throw inState('The class is not configured. Call Entity.configure first.')
}

/**
 * Returns what `setup` made of a class.
 *
 * @param prototype - its prototype, or an instance
 * @throws InputError (`InvalidState`) before `setup`
 */
export function bindingOf(prototype: object): Binding {
  const binding = bindings.of(prototype)
  if (binding !== undefined) return binding
  throw inState('The class is not set up. Call setup and use the class that it returns.')
}

/**
 * Checks that a class can be configured or set up.
 *
 * @throws InputError (`InvalidState`) after `setup`
 */
export function checkNotSetUp(prototype: object): void {
  if (bindings.of(prototype) === undefined) return
  throw inState(
    'The class is already set up. Call configure and setup on the class that was not set up.',
  )
}

const inState = (message: string) => entitiesInputError('InvalidState', message)

/** A call that takes longer is reported. */
const LONG_MS = 10_000

/** The parts that `setup` gives a class. */
interface Binding {
  /** What `configure` made of the class. */
  readonly definition: Definition
  /** Sends the calls of the class. */
  readonly client: TableClient
  /** Whether the table exists already, because the class only has a signature for it. */
  readonly tableExists: boolean
  /** The keys that sign and encrypt. */
  readonly secrets: Secrets
  /** The values that every entity has. */
  readonly context: Readonly<Record<string, unknown>>
}

/**
 * Makes the binding of a class from the options of `setup`.
 *
 * @param options - the options of `setup`
 * @param definition - what `configure` made of the class
 * @param debug - receives reports of calls that take long
 * @throws InputError (`InvalidSetup` or `UnknownOption`) that names the option
 */
export function toBinding(
  options: SetupOptions,
  definition: Definition,
  debug: TimingReport['debug'],
): Binding {
  if (typeof options !== 'object' || options === null)
    throw invalidSetup('options must be an object.')
  const table = tableNameOf(options)
  const service = serviceOf(options)
  return {
    definition,
    client: tableClient({
      service,
      table,
      monitor: options.monitor,
      timing: timingOf(options, debug),
    }),
    tableExists: sendsSas(service),
    secrets: {
      signingKey: signingKeyOf(options, definition),
      cryptoKey: cryptoKeyOf(options, definition),
    },
    context: contextOf(options, definition),
  }
}

function timingOf(options: SetupOptions, debug: TimingReport['debug']): TimingReport {
  const { operationReportChance, operationReportThreshold } = options
  const [chance, threshold] = [operationReportChance ?? 0, operationReportThreshold ?? LONG_MS]
  if (!(chance >= 0 && chance <= 1)) {
    throw invalidSetup(`operationReportChance must be a number from 0 to 1, not ${chance}.`)
  }
  return { includes: (ms) => ms > threshold || Math.random() < chance, debug }
}

function signingKeyOf({ signingKey }: SetupOptions, definition: Definition): string | undefined {
  if (!definition.needsSigningKey) {
    if (signingKey === undefined) return undefined
    throw invalidSetup('signingKey is given, but no version signs its entities. Remove it.')
  }
  if (typeof signingKey === 'string' && signingKey !== '') return signingKey
  throw invalidSetup('signingKey is required: a version signs its entities.')
}

const BASE64_OF_32_BYTES = /^[A-Za-z0-9+/]{43}=$/

function cryptoKeyOf({ cryptoKey }: SetupOptions, definition: Definition): Uint8Array | undefined {
  if (!definition.needsCryptoKey) {
    if (cryptoKey === undefined) return undefined
    throw invalidSetup('cryptoKey is given, but no version has an encrypted property. Remove it.')
  }
  if (typeof cryptoKey === 'string' && BASE64_OF_32_BYTES.test(cryptoKey)) {
    return Buffer.from(cryptoKey, 'base64')
  }
  throw invalidSetup('cryptoKey must be 32 bytes in base64: a version has an encrypted property.')
}

function contextOf(options: SetupOptions, definition: Definition): Binding['context'] {
  const { context = {} } = options
  for (const name of definition.context) {
    if (context[name] === undefined) throw invalidSetup(`context.${name} is required.`)
  }
  for (const name of Object.keys(context)) {
    if (definition.context.includes(name)) continue
    throw invalidSetup(`context.${name} is not a name of context in configure. Add it there.`)
  }
  return context
}
