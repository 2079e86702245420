import { once } from 'node:events'
import { type Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { buffer } from 'node:stream/consumers'
import type { LocalTableService } from '@rowkey/local'
import {
  fetchTransport,
  type HttpResponse,
  SasCredential,
  SasProviderCredential,
  SharedKeyCredential,
  type TableService,
  type Transport,
  tableService,
  undiciTransport,
} from '@rowkey/rest'
import type { Definition, RowSetup } from '../definition/definition.ts'
import { entitiesInputError } from '../errors/codes.ts'
import { type TableClient, type TimingReport, tableClient } from '../operations/table-client.ts'
import {
  type AccountCredentials,
  invalidSetup,
  type SetupOptions,
  tableNameOf,
} from './setup-options.ts'

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
  /** What rows need. */
  readonly setup: RowSetup
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
      monitor: options.monitor ?? undefined,
      timing: timingOf(options, debug),
    }),
    tableExists: sendsSas(service),
    setup: {
      signingKey: signingKeyOf(options, definition),
      cryptoKey: cryptoKeyOf(options, definition),
      context: contextOf(options, definition),
    },
  }
}

function timingOf(options: SetupOptions, debug: TimingReport['debug']): TimingReport {
  const { operationReportChance, operationReportThreshold } = options
  const [chance, threshold] = [operationReportChance ?? 0, operationReportThreshold ?? LONG_MS]
  if (!(typeof chance === 'number' && chance >= 0 && chance <= 1)) {
    throw invalidSetup(`operationReportChance must be a number from 0 to 1, not ${String(chance)}.`)
  }
  if (typeof threshold !== 'number' || Number.isNaN(threshold)) {
    throw invalidSetup('operationReportThreshold must be a number of milliseconds.')
  }
  return { includes: (ms) => ms > threshold || Math.random() < chance, debug }
}

function signingKeyOf({ signingKey }: SetupOptions, definition: Definition): string | undefined {
  if (!definition.needsSigningKey) {
    if (!signingKey) return undefined
    throw invalidSetup('signingKey is given, but no version signs its entities. Remove it.')
  }
  if (typeof signingKey === 'string' && signingKey !== '') return signingKey
  throw invalidSetup('signingKey is required: a version signs its entities.')
}

/** The key of AES-256. */
const KEY_BYTES = 32

function cryptoKeyOf({ cryptoKey }: SetupOptions, definition: Definition): Uint8Array | undefined {
  if (!definition.needsCryptoKey) {
    if (!cryptoKey) return undefined
    throw invalidSetup('cryptoKey is given, but no version has an encrypted property. Remove it.')
  }
  // With any alphabet of base64, with padding and a line break or without, as that library does.
  const key = typeof cryptoKey === 'string' ? Buffer.from(cryptoKey, 'base64') : undefined
  if (key?.length === KEY_BYTES) return key
  throw invalidSetup('cryptoKey must be 32 bytes in base64: a version has an encrypted property.')
}

function contextOf(options: SetupOptions, definition: Definition): RowSetup['context'] {
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

let local: Promise<LocalTableService> | undefined
let service: TableService | undefined

/**
 * Returns the service of the tables in this process, which all classes share. It is an embedded table
 * service of its own; it is loaded by the first call.
 */
function inMemoryService(): TableService {
  const transport: Transport = async (request, limits) => {
    local ??= import('@rowkey/local').then(({ localTableService }) => localTableService())
    return withoutTable(await (await local).transport(request, limits))
  }
  service ??= tableService({ connectionString: 'UseDevelopmentStorage=true', transport })
  return service
}

/** In memory, a missing table has the code of a missing entity in that library. */
function withoutTable(response: HttpResponse): HttpResponse {
  if (response.status !== 404) return response
  const body = response.body.replace('"code":"TableNotFound"', '"code":"ResourceNotFound"')
  return { ...response, body }
}

/**
 * Returns the service that the credentials of `setup` lead to.
 *
 * @throws InputError (`InvalidSetup`) for incomplete credentials
 */
function serviceOf(options: SetupOptions): TableService {
  const { service, account, credentials } = options
  if (service !== undefined) return service
  if (!('credentials' in options)) {
    throw invalidSetup("credentials is required. It may be null when account is 'inMemory'.")
  }
  if (account === 'inMemory' || credentials === 'inMemory') return inMemoryService()
  if (typeof credentials !== 'object' || credentials === null) {
    throw invalidSetup("credentials must be an object with the account and its key, or 'inMemory'.")
  }
  return accountService(account, credentials, transportOf(options))
}

/** All classes share its connections, as they do in that library. */
let shared: Transport | undefined

function transportOf({ agent }: SetupOptions): Transport {
  if (agent != null) return agentTransport(agent)
  shared ??= undiciTransport()
  return shared
}

function accountService(
  account: string | undefined,
  given: AccountCredentials,
  transport: Transport,
): TableService {
  const { connectionString } = given
  if (connectionString !== undefined) return tableService({ connectionString, transport })
  const name = given.accountId ?? given.accountName ?? account
  if (typeof name !== 'string' || name === '')
    throw invalidSetup('credentials.accountId is required: the name of the account.')
  return tableService({
    endpoint: `https://${name}.table.core.windows.net`,
    credential: credentialOf(name, given),
    transport,
  })
}

function credentialOf(account: string, given: AccountCredentials) {
  const { sas, accessKey: key = given.accountKey } = given
  if (typeof sas === 'function') return new SasProviderCredential({ provide: sas })
  if (sas !== undefined) return new SasCredential(sas)
  if (key !== undefined) return new SharedKeyCredential({ account, key })
  throw invalidSetup(
    'credentials needs accessKey or sas. In place of clientId and accessToken, pass sas: a function that gets a signature.',
  )
}

/** Tells whether a service sends shared access signatures, which cannot create tables. */
const sendsSas = ({ credential }: TableService): boolean =>
  credential instanceof SasCredential || credential instanceof SasProviderCredential

/**
 * Makes the transport that sends through an agent of Node, which decides about connections, TLS and proxies.
 *
 * @param agent - an `https.Agent`, or an `http.Agent` for an address without TLS
 */
function agentTransport(agent: Agent): Transport {
  return fetchTransport({ fetch: fetchOf(agent) })
}

/** The part of `fetch` that a transport needs, over an agent. */
function fetchOf(agent: Agent): typeof fetch {
  return async (input, { method = 'GET', headers, body, signal } = {}) => {
    const url = new URL(String(input))
    const send = url.protocol === 'http:' ? httpRequest : httpsRequest
    const fields = Object.fromEntries(new Headers(headers))
    const sent = send(url, { agent, method, headers: fields, ...(signal && { signal }) })
    // The wait for the response and the reading of its body reject with it.
    sent.on('error', () => {})
    sent.end(typeof body === 'string' ? body : undefined)
    const incoming: IncomingMessage = (await once(sent, 'response'))[0]
    const bytes = await buffer(incoming)
    const { statusCode: status = 0, headers: received } = incoming
    // The response to a status such as 204 must not have a body.
    return new Response(bytes.length === 0 ? null : bytes, {
      status,
      headers: plainHeaders(received),
    })
  }
}

const plainHeaders = (received: NodeJS.Dict<string | string[]>): [string, string][] =>
  Object.entries(received).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
