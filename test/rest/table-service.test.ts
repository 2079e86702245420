import { inspect } from 'node:util'
import {
  BearerCredential,
  type CloseOptions,
  DEVELOPMENT_KEY,
  type EntityWrite,
  getEntity,
  insertEntity,
  noRetry,
  type Operation,
  perform,
  SharedKeyCredential,
  type Transport,
  TransportError,
  tableService,
} from '@rowkey/rest'
import { describe, expect, it, vi } from 'vitest'
import { contoso, jeff } from './people.ts'
import { scriptedTransport } from './scripted-transport.ts'
import { serviceOver } from './service-over.ts'

describe('tableService', () => {
  it('R-66: accepts a connection string', async () => {
    const service = tableService({ connectionString: 'UseDevelopmentStorage=true' })
    expect(service.endpoint).toMatchObject({ account: 'devstoreaccount1', flavour: 'storage' })
    await service.close()
  })

  it("uses the given clock, otherwise the machine's", () => {
    expect(serviceOver(scriptedTransport()).now()).toBe(Date.UTC(2026, 10, 20, 12))
    const before = Date.now()
    const service = tableService({ connectionString: 'UseDevelopmentStorage=true' })
    expect(service.now()).toBeGreaterThanOrEqual(before)
  })

  it.each([
    ['transport', 'fetch', /^transport of an account must be a function/],
    ['now', 5, /^now of an account must be a function/],
    ['onEvent', {}, /^onEvent of an account must be a function/],
    ['allowInsecure', 'yes', /^allowInsecure of an account must be true or false/],
    ['runsOnServer', 1, /^runsOnServer of an account must be true or false/],
    ['retry', 3, /^retry of an account must be a RetryPolicy/],
    ['tiemout', 3, /^an account has no option 'tiemout'/],
  ])('rejects a wrong %s when it is made', (name, value, message) => {
    const options = { connectionString: 'UseDevelopmentStorage=true', [name]: value }
    expect(() => tableService(options as never)).toThrow(message)
  })

  it('makes a new id for each call', () => {
    const service = tableService({ connectionString: 'UseDevelopmentStorage=true' })
    expect(service.newId()).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    expect(service.newId()).not.toBe(service.newId())
  })

  it('closes its transport, with the options of its close', async () => {
    const closed: unknown[] = []
    const transport: Transport = Object.assign(scriptedTransport({}), {
      close: async (options?: CloseOptions) => void closed.push(options),
    })
    await serviceOver(transport).close()
    await serviceOver(transport).close({ drain: true })
    expect(closed).toEqual([{}, { drain: true }])
  })

  it.each([{}, { drain: true }])(
    'sends nothing more through a transport without close, after close(%j)',
    async (options) => {
      const transport = scriptedTransport({ status: 204 }, { status: 204 })
      const service = serviceOver(transport)
      await perform(service, insertEntity, jeff)
      await service.close(options)
      await expect(perform(service, insertEntity, jeff)).rejects.toMatchObject({
        name: 'TransportError',
        failure: 'closed',
        mayHaveApplied: false,
      })
      expect(transport.requests).toHaveLength(1)
    },
  )

  it.each([insertEntity, getEntity])(
    'ends a pending call when it is closed, although its transport cannot be closed: $name',
    async (operation: Operation<EntityWrite, unknown>) => {
      const sent: string[] = []
      const transport: Transport = ({ method }) => {
        sent.push(method)
        return new Promise(() => {})
      }
      const service = serviceOver(transport)
      const calls = [perform(service, operation, jeff)]
      calls.push(perform(service, operation, jeff, { signal: new AbortController().signal }))
      const ended = Promise.allSettled(calls)
      await vi.waitFor(() => expect(sent).toHaveLength(2))
      await service.close()
      const mayHaveApplied = operation === insertEntity
      for (const each of await ended) {
        expect(each).toMatchObject({ status: 'rejected', reason: { mayHaveApplied } })
        const { reason } = each as PromiseRejectedResult
        expect(mayHaveApplied ? reason.cause : reason).toMatchObject({ failure: 'closed' })
      }
      expect(sent).toHaveLength(2)
    },
  )

  it('ends a call that waits for its credential when it is closed', async () => {
    const transport = scriptedTransport({ body: jeff.body })
    const getToken = () => new Promise<never>(() => {})
    const credential = new BearerCredential({ credential: { getToken } })
    const service = tableService({ endpoint: contoso, credential, transport })
    const call = perform(service, getEntity, jeff).catch((error: unknown) => error)
    await new Promise((resolve) => setImmediate(resolve))
    await service.close()
    expect(await call).toMatchObject({ code: 'AccountClosed', mayHaveApplied: false })
    expect(transport.requests).toEqual([])
  })

  it('waits for a pending call when it is closed with drain, until it is closed again', async () => {
    const service = serviceOver(() => new Promise(() => {}))
    const call = perform(service, getEntity, jeff).catch((error: unknown) => error)
    let isDrained = false
    const draining = service.close({ drain: true }).then(() => {
      isDrained = true
    })
    await new Promise((resolve) => setImmediate(resolve))
    expect(isDrained).toBe(false)
    await service.close()
    expect(await call).toMatchObject({ failure: 'closed', mayHaveApplied: false })
    await draining
  })

  it('lets a transport say what became of its requests when it is closed', async () => {
    const reason = new TransportError({ message: 'Cancelled.', mayHaveApplied: false })
    let reject = (_: unknown): void => {}
    const transport: Transport = Object.assign(
      () =>
        new Promise<never>((_, fail) => {
          reject = fail
        }),
      { close: async () => reject(reason) },
    )
    const service = serviceOver(transport, { retry: noRetry })
    const call = perform(service, insertEntity, jeff).catch((error: unknown) => error)
    await new Promise((resolve) => setImmediate(resolve))
    await service.close()
    expect(await call).toBe(reason)
  })

  it.each([500, 'yes', 0, null])(
    'rejects close with a drain of %j, and stays open',
    async (drain) => {
      const service = serviceOver(scriptedTransport({ status: 204 }))
      await expect(service.close({ drain } as object)).rejects.toMatchObject({
        name: 'InputError',
        code: 'InvalidOptionValue',
        message: expect.stringContaining('drain of close must be true or false; got'),
      })
      await perform(service, insertEntity, jeff)
    },
  )

  it('never shows the key', () => {
    const credential = new SharedKeyCredential({ account: 'contoso', key: DEVELOPMENT_KEY })
    const endpoint = 'https://contoso.table.core.windows.net'
    const service = tableService({ endpoint, credential })
    const shown = inspect(service, { depth: 9, showHidden: true }) + JSON.stringify(service)
    expect(shown).not.toContain('Eby8vdM0')
  })

  it('rejects unknown options of a call before sending', async () => {
    const transport = scriptedTransport({ body: jeff.body })
    const service = serviceOver(transport)
    for (const options of [{ tiemout: 1 }, { timeout: -1 }, { retry: 3 }, null]) {
      await expect(perform(service, getEntity, jeff, options as never)).rejects.toMatchObject({
        code: expect.stringMatching(/^(UnknownOption|InvalidOptionValue)$/),
        message: expect.stringContaining('getEntity'),
      })
    }
    expect(transport.requests).toHaveLength(0)
  })
})
