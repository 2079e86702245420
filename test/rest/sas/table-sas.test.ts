import { SasCredential, type TableSasOptions, tableSas } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { isInSasKeyRange } from '../../../packages/rest/src/sas/sas-key-range.ts'
import { readSasScope } from '../../../packages/rest/src/sas/sas-scope.ts'
import { sasStringToSign } from '../../../packages/rest/src/sas/sas-string-to-sign.ts'
import { invalidKey } from '../../support/rejections.ts'
import { expiry, inMinutes, now, signer } from './signer.ts'

const options: TableSasOptions = {
  credential: signer,
  table: 'MyTable',
  permissions: 'r',
  expiry,
  now,
}

const made = (more: Partial<TableSasOptions> = {}) =>
  Object.fromEntries(new URLSearchParams(tableSas({ ...options, ...more }).token))

describe('tableSas', () => {
  it('R-68, R-79: makes a token for a range of keys without a request', () => {
    const token = made({
      start: new Date(Date.UTC(2020, 0)),
      protocol: 'https,http',
      from: { partitionKey: 'a', rowKey: '1' },
      to: { partitionKey: 'b', rowKey: '2' },
    })
    expect(token).toEqual({
      sv: '2019-02-02',
      tn: 'MyTable',
      sp: 'r',
      st: '2020-01-01T00:00:00Z',
      se: '2099-01-01T00:00:00Z',
      spr: 'https,http',
      spk: 'a',
      srk: '1',
      epk: 'b',
      erk: '2',
      sig: 'OYOPKY12Kbt92ZiT0u+WZUK9yXmgFKHGpv5pWFlADVw=',
    })
  })

  it('R-68: keeps an empty first key as a bound', () => {
    expect(made({ from: { partitionKey: '' }, to: { partitionKey: ' ' } })).toMatchObject({
      spk: '',
      epk: ' ',
    })
    expect(made()).not.toHaveProperty('spk')
  })

  it('R-68: signs every part of a range that limits it, so that no holder can remove one', () => {
    const values = ['', ' ', 'a']
    const bounds = [undefined, ...values].flatMap((rowKey) =>
      values.map((partitionKey) => ({ partitionKey, rowKey })),
    )
    const isAllowed = (range: Pick<TableSasOptions, 'from' | 'to'>, partitionKey: string) =>
      [...values, 'b'].map((rowKey) => isInSasKeyRange(range, { partitionKey, rowKey }))
    const keys = ({ from, to }: Pick<TableSasOptions, 'from' | 'to'>) =>
      [...values, 'b'].flatMap((partitionKey) => isAllowed({ from, to }, partitionKey))
    let count = 0
    for (const from of [undefined, ...bounds]) {
      for (const to of [undefined, ...bounds]) {
        let token: Record<string, string>
        try {
          token = made({ from, to })
        } catch {
          continue
        }
        for (const name of ['spk', 'srk', 'epk', 'erk']) {
          const { [name]: removed, ...rest } = token
          if (removed !== '') continue
          count += 1
          const text = new URLSearchParams(rest).toString()
          expect(sasStringToSign(rest, 'contoso')).toBe(sasStringToSign(token, 'contoso'))
          expect(keys(readSasScope(text).range)).toEqual(keys({ from, to }))
        }
      }
    }
    expect(count).toBeGreaterThan(10)
  })

  it('R-70: puts permissions in the order r a u d', () => {
    expect(made({ permissions: 'duar' }).sp).toBe('raud')
    expect(made({ permissions: 'da' }).sp).toBe('ad')
  })

  it('R-71: accepts an expiry decades from now', () => {
    expect(made()).not.toHaveProperty('st')
    const end = new Date(Date.UTC(9999, 11, 31, 23, 59, 59, 999))
    expect(made({ expiry: end }).se).toBe('9999-12-31T23:59:59Z')
  })

  it('R-72: leaves times and permissions to a stored policy', () => {
    const { token } = tableSas({ credential: signer, table: 'people', policy: 'support 1', now })
    const names = [...new URLSearchParams(token)].map(([name]) => name).sort()
    expect(names).toEqual(['si', 'sig', 'spr', 'sv', 'tn'])
    expect(token).toContain('si=support%201')
    const policy = 'x'.repeat(64)
    expect(made({ policy }).si).toBe(policy)
  })

  it('R-73: makes a token for an older version, without later parameters', () => {
    const token = made({ version: '2013-08-15' })
    expect(token).not.toHaveProperty('spr')
    expect(token.sig).toBe('9g6ZczIklN8aB/9HwrZIhLfXKDbr8EXLE2p8S7+Sfbk=')
  })

  it('allows only https by default', () => {
    expect(made().spr).toBe('https')
  })

  it('makes a token that a SasCredential accepts', () => {
    const { token } = tableSas({ ...options, ips: '168.1.5.60-168.1.5.70' })
    expect(() => new SasCredential(token)).not.toThrow()
    expect(token).toMatch(/(^|&)sip=168\.1\.5\.60-168\.1\.5\.70&/)
  })

  it.each<[Partial<Record<keyof TableSasOptions, unknown>>, RegExp]>([
    [{ permissions: 'rl' }, /permissions .* 'raud'/],
    [{ permissions: 'rr' }, /each once/],
    [{ permissions: '' }, /at least one/],
    [{ permissions: undefined }, /permissions .* missing/],
    [{ expiry: undefined }, /expiry .* missing/],
    [{ expiry: inMinutes(-1) }, /in the future/],
    [{ expiry: inMinutes(0) }, /in the future/],
    [{ expiry: inMinutes(10), start: inMinutes(10) }, /after its start/],
    [{ expiry: '2099-01-01' }, /valid Date/],
    [{ expiry: new Date(Number.NaN) }, /valid Date/],
    [{ start: '2020-01-01' }, /valid Date/],
    [{ policy: '' }, /1 to 64/],
    [{ policy: ['support'] }, /1 to 64/],
    [{ policy: 'x'.repeat(65) }, /1 to 64/],
    [{ policy: 'support\n1.2.3.4' }, /in one line/],
    [{ to: { partitionKey: 'a', rowKey: '' } }, /last RowKey .* whole partition, or end at ' '/],
    [{ to: { partitionKey: '' } }, /last PartitionKey .* rest of the table, or end at ' '/],
    [{ to: { partitionKey: '', rowKey: '1' } }, /last PartitionKey .* must not be empty/],
    [{ from: { partitionKey: '', rowKey: '1' } }, /first PartitionKey .* Leave the first key out/],
    [{ version: '2011-08-18' }, /2012-02-12/],
    [{ version: 'latest' }, /a date/],
    [{ version: '2013-08-15', ips: '1.2.3.4' }, /ips .* 2015-04-05/],
    [{ version: '2013-08-15', protocol: 'https' }, /protocol .* 2015-04-05/],
    [{ protocol: 'http' }, /'https' or 'https,http'/],
    [{ ips: '::1' }, /IPv4/],
    [{ from: { partitionKey: 'b' }, to: { partitionKey: 'a' } }, /is after to/],
    [
      { from: { partitionKey: 'a', rowKey: '2' }, to: { partitionKey: 'a', rowKey: '1' } },
      /is after to/,
    ],
  ])('rejects %j', (more, says) => {
    expect(() => made(more as Partial<TableSasOptions>)).toThrow(
      expect.objectContaining({ code: 'InvalidSas', message: expect.stringMatching(says) }),
    )
  })

  it.each<Pick<TableSasOptions, 'from' | 'to'>>([
    { from: { partitionKey: 'a', rowKey: '1' }, to: { partitionKey: 'a', rowKey: '1' } },
    { from: { partitionKey: 'a', rowKey: '2' }, to: { partitionKey: 'b', rowKey: '1' } },
    { from: { partitionKey: 'a', rowKey: '' }, to: { partitionKey: 'a', rowKey: ' ' } },
    { from: { partitionKey: 'a', rowKey: '1' }, to: { partitionKey: 'a' } },
    { from: { partitionKey: 'a' }, to: { partitionKey: 'a', rowKey: '1' } },
  ])('accepts the range %j', (range) => {
    expect(() => made(range)).not.toThrow()
  })

  it('rejects an invalid bound, an invalid table name and an unknown option', () => {
    expect(() => made({ from: { partitionKey: 'a/b' } })).toThrow(invalidKey)
    expect(() => made({ to: { rowKey: '1' } as never })).toThrow(invalidKey)
    expect(() => made({ table: 'my-table' })).toThrow(/table name/)
    expect(() => made({ startPartitionKey: 'a' } as never)).toThrow(/startPartitionKey/)
  })

  it('rejects a credential without a key, and shows no token', () => {
    const credential = new SasCredential(
      'sv=2019-02-02&sig=c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2U%3D',
    )
    const make = () => made({ credential: credential as never })
    expect(make).toThrow(expect.objectContaining({ code: 'AccountKeyRequired' }))
    expect(make).not.toThrow(/c2VjcmV0/)
  })
})
