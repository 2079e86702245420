import process from 'node:process'
import { findEntity, insertEntity, perform, tableService } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { applicationIdRule, userAgentOf } from '../../../packages/rest/src/http/user-agent.ts'
import { jeff } from '../people.ts'
import { scriptedTransport } from '../scripted-transport.ts'
import { serviceOver } from '../service-over.ts'

const NODE = `(node ${process.versions.node}; ${process.platform}; ${process.arch})`

describe('the User-Agent', () => {
  it('names Rowkey, Node and the platform', () => {
    expect(userAgentOf({})).toBe(`rowkey/source ${NODE}`)
  })

  it('begins with the application id', () => {
    expect(userAgentOf({ applicationId: 'shop/2.1' })).toBe(`shop/2.1 rowkey/source ${NODE}`)
  })

  it('is not sent with applicationId: false', async () => {
    expect(userAgentOf({ applicationId: false })).toBeUndefined()
    const transport = scriptedTransport({ body: jeff.body })
    await perform(serviceOver(transport, { applicationId: false }), findEntity, jeff)
    expect(transport.requests[0]?.headers).not.toHaveProperty('user-agent')
  })

  it('is the same in all attempts of a call, and in the reads after a lost response', async () => {
    const transport = scriptedTransport(
      { status: 503 },
      { status: 500 },
      { status: 409, body: '{"odata.error":{"code":"EntityAlreadyExists"}}' },
      { status: 200, body: jeff.body },
    )
    const service = serviceOver(transport, { applicationId: 'shop/2.1' })
    await perform(service, insertEntity, jeff).catch(() => {})
    const sent = transport.requests.map(({ headers }) => headers['user-agent'])
    expect(sent.length).toBeGreaterThan(2)
    expect(new Set(sent)).toEqual(new Set([`shop/2.1 rowkey/source ${NODE}`]))
  })

  it('changes no signature', async () => {
    const signatures = await Promise.all(
      ([undefined, 'shop/2.1', false] as const).map(async (applicationId) => {
        const transport = scriptedTransport({ body: jeff.body })
        await perform(serviceOver(transport, { applicationId }), findEntity, jeff)
        return transport.requests[0]?.headers.authorization
      }),
    )
    expect(new Set(signatures).size).toBe(1)
  })
})

describe('applicationId', () => {
  it.each([
    '',
    'my shop',
    'shop\r\nx-ms-version: 1',
    'shöp',
    'shop(1)',
    'a'.repeat(25),
    true,
    0,
    null,
    {},
  ])('rejects %j before anything is sent', (applicationId) => {
    expect(applicationIdRule.accepts(applicationId)).toBe(false)
    const open = () =>
      tableService({
        connectionString: 'UseDevelopmentStorage=true',
        applicationId: applicationId as never,
      })
    expect(open).toThrow(/^applicationId of an account must be false or 1 to 24 letters/)
  })

  it.each(['shop', 'a', 'contoso-shop_v2/2.1.0', 'a'.repeat(24)])('accepts %j', (applicationId) => {
    expect(userAgentOf({ applicationId })).toMatch(`${applicationId} rowkey/`)
  })
})
