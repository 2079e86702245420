import { inspect } from 'node:util'
import {
  DEVELOPMENT_KEY,
  getEntity,
  insertEntity,
  perform,
  SharedKeyCredential,
  type Transport,
  tableService,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { jeff } from './people.ts'
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
    expect(service.defaults.newId()).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    expect(service.defaults.newId()).not.toBe(service.defaults.newId())
  })

  it('closes its transport', async () => {
    let closed = 0
    const transport: Transport = Object.assign(scriptedTransport({}), {
      close: async () => void closed++,
    })
    await serviceOver(transport).close()
    expect(closed).toBe(1)
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
