import { localTableService } from '@rowkey/local'
import { DEVELOPMENT_ACCOUNT } from '@rowkey/rest'
import { beforeEach, describe, expect, it } from 'vitest'
import { hasSas } from '../../../packages/local/src/access/verify-sas.ts'
import { Conversation, codeOf, KEY, NOON, xmlCodeOf } from '../../support/local-conversation.ts'
import { accountSas, tableSas } from '../../support/local-sas.ts'
import { accountSignatures, tableSignatures } from '../../vectors/sas-signatures.ts'

const FAILED = [403, 'AuthenticationFailed']
const hour = 3_600_000

describe('verifySas', () => {
  let service: Conversation
  beforeEach(async () => {
    service = await Conversation.withTable('people')
  })

  const rowsWith = (sas: string) => service.send('GET', '/people()', { sas })
  const tablesWith = (sas: string) => service.send('GET', '/Tables', { sas })

  /** Asks a service with the emulator's account, for which the vectors were made. */
  const askEmulator = async (path: string, query: string) => {
    const { status } = await localTableService().transport({
      method: 'GET',
      origin: 'http://127.0.0.1:10002',
      path: `/${DEVELOPMENT_ACCOUNT}${path}`,
      query,
      headers: { accept: 'application/json' },
      body: undefined,
    })
    return status
  }
  const queryOf = (parameters: object) => new URLSearchParams({ ...parameters }).toString()

  it.each(tableSignatures)('R-68: accepts a table signature: $title', async (vector) => {
    const { parameters, signature: sig } = vector
    const path = "/mytable(PartitionKey='a',RowKey='1')"
    expect(await askEmulator(path, queryOf({ ...parameters, sig }))).toBe(404)
    expect(await askEmulator(path, queryOf({ ...parameters, tn: 'other', sig }))).toBe(403)
  })

  it.each(accountSignatures)('R-80: accepts an account signature: $title', async (vector) => {
    const { parameters, signature: sig } = vector
    expect(await askEmulator('/Tables', queryOf({ ...parameters, sig }))).toBe(200)
    expect(await askEmulator('/Tables', queryOf({ ...parameters, sp: 'rwdl', sig }))).toBe(403)
  })

  it.each(['sig=x', 'sp=raud', 'se=2099-01-01', 'tn=people', 'sv=2019-02-02', 'spk='])(
    'R-68: rejects a signature with a second %s, at either end',
    async (field) => {
      const rows = await rowsWith(`${tableSas({ spk: 'a' })}&${field}`)
      expect(xmlCodeOf(rows)).toEqual(FAILED)
      const again = await rowsWith(`${field}&${tableSas({ spk: 'a' })}`)
      expect(xmlCodeOf(again)).toEqual(FAILED)
    },
  )

  it('rejects a second query option after it has accepted the signature', async () => {
    const rows = await rowsWith(`${tableSas()}&$top=1&$top=2`)
    expect(codeOf(rows)).toEqual([400, 'InvalidQueryParameterValue'])
  })

  it('R-68: signs the name of the table in lower case', async () => {
    expect((await rowsWith(tableSas({ tn: 'PEOPLE' }))).status).toBe(200)
  })

  it('R-71: accepts from its start until before its expiry', async () => {
    const sas = tableSas({ st: '2026-11-20T12:00:00Z', se: '2026-11-20T13:00:00Z' })
    const statusAt = async (now: number) => {
      service.now = now
      return (await rowsWith(sas)).status
    }
    expect(await statusAt(NOON - 1)).toBe(403)
    expect(await statusAt(NOON)).toBe(200)
    expect(await statusAt(NOON + hour - 1)).toBe(200)
    expect(await statusAt(NOON + hour)).toBe(403)
  })

  it.each(['sp', 'se', 'st', 'tn', 'spk', 'epk', 'sip', 'spr', 'si', 'sv'])(
    'R-68: covers %s with its signature',
    async (name) => {
      const given = tableSas()
      const forged = given.includes(`${name}=`)
        ? given.replace(
            new RegExp(`\\b(${name})=[^&]*`),
            `$1=${name === 'sv' ? '2020-02-02' : 'r'}`,
          )
        : `${given}&${name}=r`
      expect(xmlCodeOf(await rowsWith(forged))).toEqual(FAILED)
    },
  )

  it.each([
    tableSas({ sig: '' }),
    tableSas({ sig: 'AAAA' }),
    tableSas({ sig: Buffer.alloc(32).toString('base64') }),
    tableSas({ sv: '2011-08-18' }),
    tableSas({ sv: 'new' }),
    tableSas({ sv: undefined }),
    tableSas({ sp: 'dr' }),
    tableSas({ sp: 'rl' }),
    tableSas({ srk: 'a' }),
    'sig=x',
    `sv=2019-02-02&sig=${encodeURIComponent(Buffer.alloc(32).toString('base64'))}`,
  ])('R-68: rejects the table signature %s as XML', async (sas) => {
    const response = await rowsWith(sas)
    expect(xmlCodeOf(response)).toEqual(FAILED)
    expect(response.body).not.toContain(KEY)
  })

  it.each([
    { sv: '2015-02-21' },
    { ss: '' },
    { ss: 'tx' },
    { srt: '' },
    { srt: 'x' },
    { sp: '' },
    { sp: 'rwz' },
    { sp: 'rr' },
  ])('R-80: rejects the account signature with %o', async (fields) => {
    expect(xmlCodeOf(await tablesWith(accountSas(fields)))).toEqual(FAILED)
  })

  it('R-80: rejects an account signature for other services', async () => {
    expect(codeOf(await tablesWith(accountSas({ ss: 'bqf' })))).toEqual([
      403,
      'AuthorizationServiceMismatch',
    ])
    expect((await tablesWith(accountSas({ ss: 'bt' }))).status).toBe(200)
  })

  it('names the address or the protocol that is not allowed', async () => {
    expect(codeOf(await rowsWith(tableSas({ sip: '10.0.0.1' })))).toEqual([
      403,
      'AuthorizationSourceIPMismatch',
    ])
    expect(codeOf(await rowsWith(tableSas({ spr: 'https' })))).toEqual([
      403,
      'AuthorizationProtocolMismatch',
    ])
    expect((await rowsWith(tableSas({ sip: '127.0.0.1', spr: 'https,http' }))).status).toBe(200)
  })

  it.each(['st', 'si', 'sip', 'spr'])(
    'accepts a signature with an empty %s as one without it',
    async (name) => {
      expect((await rowsWith(tableSas({ [name]: '' }))).status).toBe(200)
    },
  )

  it('checks the signature first, then time, protocol, address and service', async () => {
    const all = {
      se: '2026-11-20T11:00:00Z',
      spr: 'https',
      sip: '10.0.0.1',
      ss: 'b',
      srt: 's',
      sp: 'w',
    }
    const codeWith = async (fields: object) => {
      const response = await tablesWith(accountSas({ ...all, ...fields }))
      return response.headers['x-ms-error-code']
    }
    const se = '2026-11-20T13:00:00Z'
    const spr = 'https,http'
    const sip = '127.0.0.1'
    expect(await codeWith({})).toBe('AuthenticationFailed')
    expect(await codeWith({ se })).toBe('AuthorizationProtocolMismatch')
    expect(await codeWith({ se, spr })).toBe('AuthorizationSourceIPMismatch')
    expect(await codeWith({ se, spr, sip })).toBe('AuthorizationServiceMismatch')
    expect(await codeWith({ se, spr, sip, ss: 't' })).toBe('AuthorizationResourceTypeMismatch')
    const rest = { se, spr, sip, ss: 't', srt: 'c' }
    expect(await codeWith(rest)).toBe('AuthorizationPermissionMismatch')
    expect(await codeWith({ ...rest, sp: 'l' })).toBeUndefined()
  })

  it('R-69: neither shows, finds nor writes rows outside the range', async () => {
    for (const partitionKey of ['a', 'b', 'c']) {
      await service.send('POST', '/people', { body: { PartitionKey: partitionKey, RowKey: 'r' } })
    }
    const sas = tableSas({ spk: 'b', epk: 'b' })
    const page = JSON.parse((await rowsWith(sas)).body)
    expect(page.value.map((row: { PartitionKey: string }) => row.PartitionKey)).toEqual(['b'])
    const at = (key: string) => `/people(PartitionKey='${key}',RowKey='r')`
    const send = async (method: string, target: string, body?: object) =>
      codeOf(await service.send(method, target, { sas, ...(body && { body }) }))
    expect(await send('GET', at('a'))).toEqual([404, 'ResourceNotFound'])
    expect(await send('PUT', at('c'), {})).toEqual([403, 'AuthorizationFailure'])
    expect(await send('POST', '/people', { PartitionKey: 'd', RowKey: 'r' })).toEqual([
      403,
      'AuthorizationFailure',
    ])
    expect((await service.send('GET', at('b'), { sas })).status).toBe(200)
  })

  it('R-68: ends a page without a token that leads out of the range', async () => {
    for (const rowKey of ['1', '2', '3']) {
      await service.send('POST', '/people', { body: { PartitionKey: 'a', RowKey: rowKey } })
    }
    const sas = tableSas({ spk: 'a', srk: '1', epk: 'a', erk: '2' })
    const read = (query: string) => service.send('GET', `/people()?${query}`, { sas })
    const first = await read('$top=1')
    const next = ['nextpartitionkey', 'nextrowkey'].map(
      (name) => first.headers[`x-ms-continuation-${name}`] ?? '',
    )
    expect(next).not.toContain('')
    const second = await read(`$top=1&NextPartitionKey=${next[0]}&NextRowKey=${next[1]}`)
    expect(JSON.parse(second.body).value).toMatchObject([{ RowKey: '2' }])
    expect(Object.keys(second.headers).filter((name) => name.includes('continuation'))).toEqual([])
  })

  it('R-73: uses its own version when the request has none', async () => {
    const { headers } = await rowsWith(tableSas({ sv: '2018-03-28' }))
    expect(headers['x-ms-version']).toBe('2018-03-28')
  })

  it('R-117: also reads from the secondary', async () => {
    const said = { sas: tableSas(), isSecondary: true }
    expect((await service.send('GET', '/people()', said)).status).toBe(200)
  })

  it('is used only when the query contains a signature', () => {
    expect([hasSas('sv=1&sig=x'), hasSas('sig=x'), hasSas('$filter=sig eq 1'), hasSas('')]).toEqual(
      [true, true, false, false],
    )
  })
})
