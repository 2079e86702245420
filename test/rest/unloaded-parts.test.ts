import { afterEach, describe, expect, it, vi } from 'vitest'
import { jeff, write } from './people.ts'
import { scriptedTransport, type Turn } from './scripted-transport.ts'

const SOURCES = '../../packages/rest/src'
const missing = new Error('the part is not deployed')
/** The error of a call that needs the part. The test runner puts an error of its own around that of the module. */
const notLoaded = { name: 'InputError', code: 'PartNotLoaded', cause: { cause: missing } }

/** Loads anew what a bundle has of the package, without one of the parts that calls load on demand. */
async function without(part: string) {
  return {
    ...(await reading(part)),
    ...(await import('../../packages/rest/src/operations/insert-entity.ts')),
  }
}

/** Does so for a program that only reads. */
async function reading(part: string) {
  vi.resetModules()
  vi.doMock(part, () => {
    throw missing
  })
  return {
    ...(await import('../../packages/rest/src/http/fetch-transport.ts')),
    ...(await import('../../packages/rest/src/table-service.ts')),
    ...(await import('../../packages/rest/src/perform.ts')),
    ...(await import('../../packages/rest/src/operations/get-entity.ts')),
    ...(await import('../../packages/rest/src/sas/sas-credential.ts')),
    ...(await import('../../packages/rest/src/sign/bearer-credential.ts')),
  }
}

const parts = {
  checks: `${SOURCES}/response/checked-entity.ts`,
  cors: `${SOURCES}/http/cors-advice.ts`,
  errors: `${SOURCES}/response/service-error.ts`,
  remedies: `${SOURCES}/retry/remedies.ts`,
  scope: `${SOURCES}/sas/sas-scope.ts`,
  tokens: `${SOURCES}/sign/access-tokens.ts`,
  rules: `${SOURCES}/reconcile/reconcile-entity.ts`,
  watch: `${SOURCES}/observe/call-watch.ts`,
  witness: `${SOURCES}/retry/witness.ts`,
  xml: `${SOURCES}/xml/parse-xml.ts`,
}

afterEach(() => {
  for (const part of Object.values(parts)) vi.doUnmock(part)
  vi.resetModules()
  vi.unstubAllGlobals()
})

const serverError: Turn = { status: 500 }
const conflict: Turn = {
  status: 409,
  body: '{"odata.error":{"code":"EntityAlreadyExists","message":{"value":"No."}}}',
}
const stored: Turn = { status: 204, headers: { etag: 'W/"1"' } }

describe('a part that cannot be loaded', () => {
  it('leaves the judgement of a shared access signature to the service', async () => {
    const { insertEntity, perform, SasCredential, tableService } = await without(parts.scope)
    const transport = scriptedTransport(stored)
    const service = tableService({
      endpoint: 'https://contoso.table.core.windows.net',
      credential: new SasCredential('sv=2019-02-02&sp=r&sig=c2VjcmV0'),
      transport,
    })
    await perform(service, insertEntity, jeff)
    expect(transport.requests).toHaveLength(1)
  })

  it('fails a call with a token at once, and nothing is sent', async () => {
    const { BearerCredential, insertEntity, perform, tableService } = await without(parts.tokens)
    const transport = scriptedTransport(stored)
    const sleep = vi.fn(async () => {})
    const getToken = vi.fn(async () => null)
    const service = tableService({
      endpoint: 'https://contoso.table.core.windows.net',
      credential: new BearerCredential({ credential: { getToken } }),
      transport,
      sleep,
    })
    await expect(perform(service, insertEntity, jeff)).rejects.toMatchObject(notLoaded)
    expect(transport.requests).toHaveLength(0)
    expect(sleep).not.toHaveBeenCalled()
  })

  it('leaves a request that CORS blocked with the error of fetch', async () => {
    const { fetchTransport } = await without(parts.cors)
    vi.stubGlobal('window', {})
    vi.stubGlobal('location', { origin: 'https://app.contoso.com' })
    const fetch = async (_: unknown, init?: RequestInit) => {
      if (init?.mode === 'no-cors') return new Response(null, { status: 204 })
      throw new TypeError('Failed to fetch')
    }
    await expect(fetchTransport({ fetch })(write)).rejects.toMatchObject({
      code: 'TransportFailed',
      mayHaveApplied: true,
      cause: { message: 'Failed to fetch' },
    })
  })

  it('leaves a read with the status of its error', async () => {
    const { getEntity, perform, tableService } = await without(parts.errors)
    const transport = scriptedTransport({ status: 404 })
    const service = tableService({ connectionString: 'UseDevelopmentStorage=true', transport })
    await expect(perform(service, getEntity, jeff)).rejects.toMatchObject({
      name: 'ServiceError',
      status: 404,
      code: 'Http404',
      mayHaveApplied: false,
    })
    expect(transport.requests).toHaveLength(1)
  })

  it('leaves a read that can be read', async () => {
    const { getEntity, perform, tableService } = await reading(parts.checks)
    const transport = scriptedTransport({ body: jeff.body }, { body: '<html>' })
    const service = tableService({ connectionString: 'UseDevelopmentStorage=true', transport })
    expect(await perform(service, getEntity, jeff)).toMatchObject({ raw: { RowKey: 'Jeff' } })
    await expect(perform(service, getEntity, jeff)).rejects.toMatchObject(notLoaded)
    expect(transport.requests).toHaveLength(2)
  })

  it('never says of a write with an error that it was not applied', async () => {
    const { insertEntity, perform, tableService } = await without(parts.errors)
    const service = tableService({
      connectionString: 'UseDevelopmentStorage=true',
      transport: scriptedTransport(conflict),
    })
    await expect(perform(service, insertEntity, jeff)).rejects.toMatchObject({
      name: 'AmbiguousWriteError',
      cause: { status: 409 },
    })
  })

  it('never says of a write with an error in XML that it was not applied', async () => {
    const { insertEntity, perform, tableService } = await without(parts.xml)
    const page: Turn = { status: 502, body: '<html><body>Bad gateway</body></html>' }
    const transport = scriptedTransport(page, conflict)
    const service = tableService({
      connectionString: 'UseDevelopmentStorage=true',
      transport,
      sleep: async () => {},
    })
    await expect(perform(service, insertEntity, jeff)).rejects.toMatchObject({
      mayHaveApplied: true,
    })
    expect(transport.requests.length).toBeGreaterThan(1)
  })

  it('leaves a rejected credential rejected', async () => {
    const { BearerCredential, insertEntity, perform, tableService } = await without(parts.remedies)
    const transport = scriptedTransport({ status: 401 })
    const getToken = async () => ({ token: 'token', expiresOnTimestamp: Infinity })
    const service = tableService({
      endpoint: 'https://contoso.table.core.windows.net',
      credential: new BearerCredential({ credential: { getToken } }),
      transport,
    })
    await expect(perform(service, insertEntity, jeff)).rejects.toMatchObject({ status: 401 })
    expect(transport.requests).toHaveLength(1)
  })

  it('makes a call without its listeners', async () => {
    const { insertEntity, perform, tableService } = await without(parts.watch)
    const onEvent = vi.fn()
    const service = tableService({
      connectionString: 'UseDevelopmentStorage=true',
      transport: scriptedTransport(stored),
      onEvent,
    })
    expect(await perform(service, insertEntity, jeff)).toMatchObject({ etag: 'W/"1"' })
    expect(onEvent).not.toHaveBeenCalled()
  })

  it.each([parts.rules, parts.witness])('leaves a write in doubt: %s', async (part) => {
    const { insertEntity, perform, tableService } = await without(part)
    const service = tableService({
      connectionString: 'UseDevelopmentStorage=true',
      transport: scriptedTransport(serverError, conflict),
      sleep: async () => {},
    })
    const error: unknown = await perform(service, insertEntity, jeff).catch((reason) => reason)
    expect(error).toMatchObject({
      name: 'AmbiguousWriteError',
      mayHaveApplied: true,
      cause: { code: 'EntityAlreadyExists' },
    })
    await expect((error as { resolve(): unknown }).resolve()).rejects.toMatchObject(notLoaded)
  })
})

it('a part that loads with the first call misses no event', async () => {
  const { insertEntity, perform, tableService } = await without('no part')
  const lines: string[] = []
  const logger = { debug: (line: string) => lines.push(line), warn: () => {} }
  const events: string[] = []
  const service = tableService({
    connectionString: 'UseDevelopmentStorage=true',
    transport: scriptedTransport(stored),
    onEvent: ({ type }) => events.push(type),
    logger,
  })
  await Promise.all([perform(service, insertEntity, jeff), perform(service, insertEntity, jeff)])
  expect(events.toSorted()).toEqual([
    'completed',
    'completed',
    'received',
    'received',
    'sending',
    'sending',
  ])
  expect(lines).toHaveLength(2)
})

it('a parser that could not be loaded is loaded again by the next document', async () => {
  let isMissing = true
  vi.resetModules()
  vi.doMock(parts.xml, async (original) => {
    if (isMissing) throw missing
    return original()
  })
  const { readXml } = await import('../../packages/rest/src/xml/read-xml.ts')
  await expect(readXml('<a/>')).rejects.toMatchObject(notLoaded)
  isMissing = false
  expect((await readXml('<a/>'))?.isNamed('a')).toBe(true)
})
