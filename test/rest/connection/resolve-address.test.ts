import {
  BearerCredential,
  SasCredential,
  SharedKeyCredential,
  type TableServiceOptions,
  tableService,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { toCredential } from '../../../packages/rest/src/connection/resolve-address.ts'
import { contoso } from '../people.ts'

const endpoint = 'https://contoso.table.core.windows.net'
const key = 'bm90IGEgcmVhbCBrZXk='

describe('toCredential', () => {
  it.each([
    ['a credential with getToken', { getToken: async () => null }, BearerCredential],
    ['a name and a key', { name: 'contoso', key }, SharedKeyCredential],
    [
      'a shared access signature',
      { sas: 'sv=2019-02-02&sp=r&sig=c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2U%3D' },
      SasCredential,
    ],
  ])('makes a credential from %s', (_, given, made) => {
    expect(toCredential(given)).toBeInstanceOf(made)
    expect(tableService({ endpoint, credential: given }).credential).toBeInstanceOf(made)
  })

  it('returns a credential as it is', () => {
    const credential = new SharedKeyCredential({ account: 'contoso', key })
    expect(toCredential(credential)).toBe(credential)
  })

  it.each([
    null,
    'key',
    {},
    { name: 'contoso' },
    { key },
    { name: 'contoso', key, sas: 'sv=1&sig=2' },
  ])('rejects %o, and shows no key', (given) => {
    const make = () => tableService({ endpoint, credential: given as never })
    expect(make).toThrow(expect.objectContaining({ code: 'InvalidOptionValue' }))
    expect(make).not.toThrow(new RegExp(key))
  })
})

const credential = new SharedKeyCredential({ account: 'contoso', key: 'c2VjcmV0' })
const connectionString = 'AccountName=contoso;AccountKey=c2VjcmV0'

/** The address that a service resolves. */
function resolveAddress(options: TableServiceOptions) {
  const service = tableService(options)
  return { endpoint: service.endpoint, credential: service.credential }
}

describe('the address of a service', () => {
  it('reads a connection string', () => {
    expect(resolveAddress({ connectionString }).endpoint).toEqual(contoso)
  })

  it('contains the checks that are left to the service', () => {
    const options = { connectionString, checks: { keys: 'by the service' } } as const
    expect(resolveAddress(options).endpoint).toEqual({ ...contoso, unchecked: ['keys'] })
    expect(() => resolveAddress({ connectionString, checks: {} })).not.toThrow()
  })

  it('R-59: has two ways to send a key with a percent sign', () => {
    for (const percentKeys of ['path', 'batch'] as const) {
      expect(() => resolveAddress({ connectionString, percentKeys })).not.toThrow()
    }
    const percentKeys = 'double' as 'path'
    expect(() => resolveAddress({ connectionString, percentKeys })).toThrow(/'path' or 'batch'/)
  })

  it('accepts an endpoint as a URL or parsed', () => {
    expect(resolveAddress({ endpoint, credential })).toEqual({ endpoint: contoso, credential })
    expect(resolveAddress({ endpoint: contoso, credential }).endpoint).toEqual(contoso)
  })

  it('takes the account from the credential when the URL does not show it', () => {
    const custom = { endpoint: 'https://tables.contoso.example', credential }
    expect(resolveAddress(custom).endpoint.account).toBe('contoso')
    const sas = new SasCredential(
      'sv=2019-02-02&sig=c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2U%3D',
    )
    expect(() => resolveAddress({ ...custom, credential: sas })).toThrow(/account/)
  })

  it('takes the flavour from the options', () => {
    const { endpoint: resolved } = resolveAddress({ connectionString, flavour: 'cosmos' })
    const { secondary: _, ...withoutSecondary } = contoso
    expect(resolved).toEqual({ ...withoutSecondary, flavour: 'cosmos' })
    expect(() => resolveAddress({ connectionString, flavour: 'azure' as 'cosmos' })).toThrow(
      expect.objectContaining({ code: 'InvalidOptionValue' }),
    )
  })

  it('has no computed secondary for Cosmos DB, but keeps a given one', () => {
    const url = 'http://127.0.0.1:10002/contoso'
    const flavour = 'cosmos'
    const secondaryOf = (options: TableServiceOptions) => resolveAddress(options).endpoint.secondary
    expect(secondaryOf({ endpoint: url, credential })).toBeDefined()
    expect(secondaryOf({ endpoint: url, credential, flavour })).toBeUndefined()
    const text = `${connectionString};TableEndpoint=${url}`
    expect(secondaryOf({ connectionString: text })).toBeDefined()
    expect(secondaryOf({ connectionString: text, flavour })).toBeUndefined()
    const given = `${text};TableSecondaryEndpoint=${url}-west`
    expect(secondaryOf({ connectionString: given, flavour })?.basePath).toBe('/contoso-west')
    expect(secondaryOf({ connectionString: 'UseDevelopmentStorage=true', flavour })).toBeUndefined()
  })

  it('rejects plain http to another machine unless it is allowed', () => {
    const insecure = { connectionString: `DefaultEndpointsProtocol=http;${connectionString}` }
    expect(() => resolveAddress(insecure)).toThrow(
      expect.objectContaining({ code: 'InsecureEndpoint' }),
    )
    expect(resolveAddress({ ...insecure, allowInsecure: true }).endpoint.origin).toMatch(/^http:/)
  })

  it.each([
    {},
    { endpoint },
    { credential },
    { endpoint, credential: {} },
    { connectionString, endpoint, credential },
    { connectionString: undefined },
  ])('R-65: rejects %j, which lacks an endpoint or a credential', (options) => {
    expect(() => tableService(options as TableServiceOptions)).toThrow(
      expect.objectContaining({
        code: 'InvalidOptionValue',
        message: expect.stringMatching(
          /connectionString alone, or endpoint and credential|^credential must be/,
        ),
      }),
    )
  })

  it.each([{}, { origin: 'https://x', basePath: '' }, { ...contoso, flavour: 'azure' }, null, 7])(
    'rejects the endpoint %j, which endpointOf never returns',
    (garbage) => {
      expect(() => tableService({ endpoint: garbage as never, credential })).toThrow(
        expect.objectContaining({ code: 'InvalidOptionValue' }),
      )
    },
  )

  it.each([
    [{ connectionString, retires: 3 }, 'retires'],
    [{ connectionString, timeout: 0 }, 'timeout'],
    [{ connectionString, retry: {} }, 'retry'],
    [null, 'object'],
    ['UseDevelopmentStorage=true', 'object'],
  ])('rejects the options %j, and names the wrong one', (options, name) => {
    expect(() => tableService(options as never)).toThrow(name)
  })
})
