import {
  DEVELOPMENT_KEY,
  endpointOf,
  environmentAddress,
  SasCredential,
  SharedKeyCredential,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { contoso } from '../people.ts'

const key = { AZURE_STORAGE_ACCOUNT: 'contoso', AZURE_STORAGE_KEY: DEVELOPMENT_KEY }
const sas = {
  AZURE_STORAGE_ACCOUNT: 'contoso',
  AZURE_STORAGE_SAS_TOKEN: '?sv=2019-02-02&sig=c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2U%3D',
}

describe('environmentAddress', () => {
  it.each([null, undefined, 'AZURE_STORAGE_KEY=x', 5])(
    'rejects %j in place of variables',
    (variables) => {
      expect(() => environmentAddress(variables as never)).toThrow(
        expect.objectContaining({
          code: 'InvalidEnvironment',
          message: expect.stringContaining('such as process.env; got'),
        }),
      )
    },
  )

  it('R-86: prefers a connection string', () => {
    const AZURE_STORAGE_CONNECTION_STRING = 'UseDevelopmentStorage=true'
    const { endpoint } = environmentAddress({ ...key, AZURE_STORAGE_CONNECTION_STRING })
    expect(endpoint).toEqual(endpointOf('http://127.0.0.1:10002/devstoreaccount1'))
  })

  it('R-86: reads an account with its key, otherwise with a SAS', () => {
    for (const environment of [key, { ...sas, ...key }]) {
      const { endpoint, credential } = environmentAddress(environment)
      expect(endpoint).toEqual(contoso)
      expect(credential).toBeInstanceOf(SharedKeyCredential)
    }
    expect(environmentAddress({ ...sas, AZURE_STORAGE_KEY: '' })).toMatchObject({
      endpoint: contoso,
      credential: expect.any(SasCredential),
    })
  })

  it.each([
    {},
    { AZURE_STORAGE_CONNECTION_STRING: '', PATH: '/bin' },
    { AZURE_STORAGE_ACCOUNT: 'contoso' },
    { AZURE_STORAGE_KEY: 'c2VjcmV0' },
    { AZURE_STORAGE_SAS_TOKEN: 'c2VjcmV0' },
  ])('rejects %j and names the variables', (environment) => {
    const read = () => environmentAddress(environment)
    expect(read).toThrow(
      expect.objectContaining({
        code: 'InvalidEnvironment',
        message: expect.stringContaining('AZURE_STORAGE_ACCOUNT'),
      }),
    )
    expect(read).not.toThrow(/c2VjcmV0/)
  })

  it.each([
    { ...key, AZURE_STORAGE_KEY: 'c2VjcmV0!' },
    { ...key, AZURE_STORAGE_ACCOUNT: 'evil.example/?' },
    { ...sas, AZURE_STORAGE_SAS_TOKEN: 'c2VjcmV0' },
    { ...sas, AZURE_STORAGE_ACCOUNT: 'evil.example/' },
    { AZURE_STORAGE_CONNECTION_STRING: 'AccountName=contoso;c2VjcmV0' },
  ])('rejects the invalid value in %j without showing it', (environment) => {
    const read = () => environmentAddress(environment)
    expect(read).toThrow(expect.objectContaining({ code: expect.stringMatching(/^Invalid/) }))
    expect(read).not.toThrow(/c2VjcmV0/)
  })
})
