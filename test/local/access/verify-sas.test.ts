import { localTableService } from '@rowkey/local'
import { DEVELOPMENT_ACCOUNT } from '@rowkey/rest'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  checkSasSource,
  hasSas,
  sasKeyRange,
} from '../../../packages/local/src/access/verify-sas.ts'
import { holdsKey } from '../../../packages/local/src/keys/key-range.ts'
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

const sv = '2019-02-02'
const source = { origin: 'http://127.0.0.1:10002', address: '127.0.0.1' }
const check = (token: Record<string, string>, from: Partial<typeof source> = {}) =>
  checkSasSource(new Map(Object.entries({ sv, ...token })), { ...source, ...from })

describe('checkSasSource', () => {
  it('accepts every protocol and address for a token without them', () => {
    expect(() => check({})).not.toThrow()
    expect(() => check({ spr: 'https,http' })).not.toThrow()
  })

  it('accepts only https when the token says so', () => {
    expect(() => check({ spr: 'https' }, { origin: 'https://contoso.example' })).not.toThrow()
    expect(() => check({ spr: 'https' })).toThrow(
      expect.objectContaining({ status: 403, code: 'AuthorizationProtocolMismatch' }),
    )
  })

  it('accepts the addresses of the token, and tells other clients their own', () => {
    expect(() => check({ sip: '127.0.0.1' })).not.toThrow()
    expect(() => check({ sip: '127.0.0.0-127.0.0.255' })).not.toThrow()
    expect(() => check({ sip: '10.0.0.1' })).toThrow(
      expect.objectContaining({
        status: 403,
        code: 'AuthorizationSourceIPMismatch',
        message:
          'This request is not authorized to perform this operation using this source IP 127.0.0.1.',
      }),
    )
  })

  it.each([
    ['168.1.5.60', '168.1.5.60', true],
    ['168.1.5.60', '168.1.5.61', false],
    ['168.1.5.60-168.1.5.70', '168.1.5.60', true],
    ['168.1.5.60-168.1.5.70', '168.1.5.70', true],
    ['168.1.5.60-168.1.5.70', '168.1.5.7', false],
    ['9.255.255.255-10.0.0.1', '10.0.0.0', true],
    ['0.0.0.0-255.255.255.255', '::1', false],
    ['0.0.0.0-255.255.255.255', '', false],
  ])('%s contains %s: %s', (sip, address, expected) => {
    const call = expect(() => check({ sip }, { address }))
    if (expected) call.not.toThrow()
    else call.toThrow(expect.objectContaining({ code: 'AuthorizationSourceIPMismatch' }))
  })

  it.each([
    '1.2.3',
    '1.2.3.4.5',
    '1.2.3.256',
    '1.2.3.4-',
    '1.2.3.4-1.2.3.5-1.2.3.6',
    '1.2.3.5-1.2.3.4',
    '::1',
    '1.2.3.4/8',
    '01.2.3.4',
  ])('rejects the range %j', (sip) => {
    expect(() => check({ sip }, { address: '1.2.3.4' })).toThrow(
      expect.objectContaining({ code: 'AuthenticationFailed' }),
    )
  })

  it('checks the protocol first', () => {
    expect(() => check({ spr: 'https', sip: '10.0.0.1' })).toThrow(
      expect.objectContaining({ code: 'AuthorizationProtocolMismatch' }),
    )
  })

  it.each([{ spr: 'http' }, { spr: '' }, { sip: '' }, { sip: 'here' }])('rejects %o', (token) => {
    expect(() => check(token)).toThrow(expect.objectContaining({ code: 'AuthenticationFailed' }))
  })

  it('ignores both in versions that do not sign them', () => {
    expect(() => check({ sv: '2015-02-21', spr: 'https', sip: '10.0.0.1' })).not.toThrow()
  })
})

const rangeOf = (token: Record<string, string>) => sasKeyRange(new Map(Object.entries(token)))
const holds = (token: Record<string, string>, partitionKey: string, rowKey: string) =>
  holdsKey(rangeOf(token), { partitionKey, rowKey })

describe('sasKeyRange', () => {
  it('R-68: is the whole table for a token without keys', () => {
    expect(rangeOf({})).toEqual({ low: '' })
  })

  it('R-69: is hierarchical: inner partitions belong to it completely', () => {
    const token = { spk: 'PK001', srk: 'RK002', epk: 'PK003', erk: 'RK003' }
    expect(holds(token, 'PK001', 'RK001')).toBe(false)
    expect(holds(token, 'PK001', 'RK002')).toBe(true)
    expect(holds(token, 'PK002', 'RK999')).toBe(true)
    expect(holds(token, 'PK002', '')).toBe(true)
    expect(holds(token, 'PK003', 'RK003')).toBe(true)
    expect(holds(token, 'PK003', 'RK004')).toBe(false)
  })

  it('R-68: includes the partitions at both ends', () => {
    const token = { spk: 'b', epk: 'c' }
    expect(holds(token, 'a', '\uffff')).toBe(false)
    expect(holds(token, 'b', '')).toBe(true)
    expect(holds(token, 'c', '\uffff')).toBe(true)
    expect(holds(token, 'c ', '')).toBe(false)
  })

  it('R-68: is one partition, or one row, when both ends are the same', () => {
    expect(holds({ spk: 'b', epk: 'b' }, 'b', 'x')).toBe(true)
    const row = { spk: 'b', srk: 'x', epk: 'b', erk: 'x' }
    expect([holds(row, 'b', 'x'), holds(row, 'b', 'x ')]).toEqual([true, false])
  })

  it('accepts an empty key', () => {
    const token = { epk: '' }
    expect([holds(token, '', 'x'), holds(token, 'a', '')]).toEqual([true, false])
    const row = { epk: '', erk: '' }
    expect([holds(row, '', ''), holds(row, '', 'x')]).toEqual([true, false])
  })

  it('is empty when it ends before it begins', () => {
    expect(holds({ spk: 'c', epk: 'a' }, 'b', '')).toBe(false)
  })

  it.each([{ srk: 'a' }, { erk: 'a' }, { spk: 'a', erk: 'b' }])('rejects %o', (token) => {
    expect(() => rangeOf(token)).toThrow(expect.objectContaining({ code: 'AuthenticationFailed' }))
  })
})

const row = "/people(PartitionKey='p',RowKey='r')"
const bare = { sp: undefined, se: undefined }
const policy = (id: string, terms: string) =>
  `<SignedIdentifier><Id>${id}</Id><AccessPolicy>${terms}</AccessPolicy></SignedIdentifier>`

describe('sasPolicyOf', () => {
  let service: Conversation
  beforeEach(async () => {
    service = await Conversation.withTable('people')
    await setPolicies(
      policy(
        'whole',
        '<Start>2026-11-20</Start><Expiry>2026-11-21</Expiry><Permission>r</Permission>',
      ),
      policy('permission', '<Permission>r</Permission>'),
      policy('expiry', '<Expiry>2026-11-21</Expiry>'),
      policy(
        'late',
        '<Start>2026-11-21</Start><Expiry>2026-11-22</Expiry><Permission>r</Permission>',
      ),
    )
  })

  const setPolicies = (...policies: string[]) =>
    service.send('PUT', '/people?comp=acl', {
      body: `<SignedIdentifiers>${policies.join('')}</SignedIdentifiers>`,
    })
  const read = (fields: Record<string, string | undefined>, of = tableSas) =>
    service.send('GET', row, { sas: of(fields) })

  it('R-72: reads permissions and times from the stored policy', async () => {
    expect((await read({ ...bare, si: 'whole' })).status).toBe(404)
    expect((await read({ si: 'permission', sp: undefined })).status).toBe(404)
    expect((await read({ si: 'expiry', se: undefined })).status).toBe(404)
    expect((await read({ si: 'whole', sp: '', se: '' })).status).toBe(404)
  })

  it.each([
    ['an id that no policy has', { ...bare, si: 'other' }],
    ['an empty id', { ...bare, si: '' }],
    ['permissions in both places', { si: 'permission' }],
    ['an expiry in both places', { si: 'expiry' }],
    ['a start in both places', { ...bare, si: 'whole', st: '2026-11-20' }],
    ['an expiry in neither place', { si: 'permission', ...bare }],
    ['permissions in neither place', { si: 'expiry', ...bare }],
    ['no permissions and no policy', { sp: undefined }],
    ['no expiry and no policy', { se: undefined }],
    ['an invalid expiry', { se: 'tomorrow' }],
    ['an invalid start', { st: '2026-11-20T11:00:00+00:00' }],
    ['a policy that has not begun', { ...bare, si: 'late' }],
  ])('R-72: rejects %s', async (_, fields) => {
    expect(xmlCodeOf(await read(fields))).toEqual(FAILED)
  })

  it('R-74: is revoked with the policy, or with the table', async () => {
    const sas = { ...bare, si: 'whole' }
    await setPolicies(policy('renamed', '<Permission>r</Permission>'))
    expect(xmlCodeOf(await read(sas))).toEqual(FAILED)
    await service.send('DELETE', "/Tables('people')")
    expect(xmlCodeOf(await read(sas))).toEqual(FAILED)
  })

  it('R-80: finds no policies for an account', async () => {
    expect(xmlCodeOf(await read({ ...bare, si: 'whole' }, accountSas))).toEqual(FAILED)
  })

  it('R-74: belongs to its own table', async () => {
    await service.send('POST', '/Tables', { body: { TableName: 'others' } })
    expect(xmlCodeOf(await read({ ...bare, tn: 'others', si: 'whole' }))).toEqual(FAILED)
  })
})
