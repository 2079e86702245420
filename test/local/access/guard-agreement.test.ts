import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { checkSasScope, readSasScope } from '../../../packages/rest/src/sas/sas-scope.ts'
import {
  ACCOUNT,
  Conversation,
  changeSetOf,
  NOON,
  ORIGIN,
  partsOf,
  type Said,
} from '../../support/local-conversation.ts'
import { accountSas, tableSas } from '../../support/local-sas.ts'

interface Asked {
  readonly method: 'DELETE' | 'GET' | 'MERGE' | 'PATCH' | 'POST' | 'PUT'
  readonly target: string
  readonly said?: Said
}

const row = (table: string, rowKey: string) => `/${table}(PartitionKey='p',RowKey='${rowKey}')`
const any = { 'if-match': '*' }

/** All operations on rows. The writes change only rows that no later request uses. */
const rowCalls = fc
  .record({
    table: fc.constantFrom('people', 'People', 'others'),
    rowKey: fc.constantFrom('1', '3', '5'),
  })
  .chain(({ table, rowKey }) => {
    const body = { PartitionKey: 'p', RowKey: rowKey }
    const insert = { method: 'POST', target: `/${table}`, body }
    return fc.constantFrom<Asked>(
      { method: 'GET', target: row(table, rowKey) },
      { method: 'GET', target: `/${table}()` },
      { method: 'POST', target: `/${table}`, said: { body } },
      { method: 'PUT', target: row(table, rowKey), said: { body } },
      { method: 'PUT', target: row(table, rowKey), said: { body, headers: any } },
      { method: 'PATCH', target: row(table, rowKey), said: { body } },
      {
        method: 'POST',
        target: row(table, rowKey),
        said: { body, headers: { ...any, 'x-http-method': 'MERGE' } },
      },
      { method: 'DELETE', target: row(table, rowKey), said: { headers: any } },
      { method: 'POST', target: '/$batch', said: changeSetOf(insert) },
    )
  })
const otherCalls = fc.constantFrom<Asked>(
  { method: 'GET', target: '/Tables' },
  { method: 'POST', target: '/Tables', said: { body: { TableName: 'people' } } },
  { method: 'DELETE', target: "/Tables('missing')" },
  { method: 'GET', target: '/?restype=service&comp=properties' },
  { method: 'GET', target: '/people?comp=acl' },
)

const lettersOf = (letters: string, minLength = 1) =>
  fc.subarray([...letters], { minLength }).map((chosen) => chosen.join(''))
const bound = fc.constantFrom(undefined, '2', '4')
const tokens = fc.oneof(
  fc
    .record({
      tn: fc.constantFrom('people', 'PEOPLE'),
      sp: lettersOf('raud'),
      srk: bound,
      erk: bound,
    })
    .map(({ srk, erk, ...rest }) =>
      tableSas({ ...rest, ...(srk && { spk: 'p', srk }), ...(erk && { epk: 'p', erk }) }),
    ),
  fc
    .record({
      sp: lettersOf('rwdlacup'),
      srt: lettersOf('sco'),
      ss: fc.constantFrom('t', 'bt', 'b'),
      spr: fc.constantFrom(undefined, 'https', 'https,http'),
    })
    .map(accountSas),
)

describe('the check of our client', () => {
  let service: Conversation
  beforeAll(async () => {
    service = await Conversation.withTable('people')
    await service.send('POST', '/Tables', { body: { TableName: 'others' } })
  })

  const isRefusedByUs = ({ method, target, said }: Asked, token: string) => {
    const [below = '', query = ''] = target.split('?')
    const body = typeof said?.body === 'object' ? JSON.stringify(said.body) : said?.body
    const headers = { ...said?.headers } as Record<string, string>
    const path = `/${ACCOUNT}${below}`
    try {
      checkSasScope(
        readSasScope(token),
        { method, origin: ORIGIN, path, query, headers, body },
        NOON,
      )
      return false
    } catch {
      return true
    }
  }

  const statusOf = async ({ method, target, said }: Asked, sas: string) => {
    const response = await service.send(method, target, { ...said, sas })
    return response.status === 202 ? partsOf(response)[0]?.status : response.status
  }

  it('R-81: rejects exactly what the service would reject', async () => {
    const seen = new Set<boolean>()
    await fc.assert(
      fc.asyncProperty(fc.oneof(rowCalls, otherCalls), tokens, async (asked, token) => {
        const isRefused = isRefusedByUs(asked, token)
        seen.add(isRefused)
        const status = await statusOf(asked, token)
        // For a row outside the range, the service returns 404 instead of 403.
        if (isRefused) expect([403, 404]).toContain(status)
        else expect(status).not.toBe(403)
      }),
      { numRuns: 500 },
    )
    expect(seen.size).toBe(2)
  })
})
