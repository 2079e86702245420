import { Agent } from 'node:http'
import Entity, { type SetupOptions } from '@rowkey/azure-entities'
import { describe, expect, it, vi } from 'vitest'

const { keys, types } = Entity
const plain = {
  version: 1,
  partitionKey: keys.StringKey('id'),
  rowKey: keys.ConstantKey('x'),
  properties: { id: types.String },
}
const Item = Entity.configure(plain)
const credentials = { accountId: 'contoso', accessKey: 'AAAA' }
const invalidSetup = expect.objectContaining({ code: 'InvalidSetup' })

describe('setup', () => {
  it.each<[string, SetupOptions]>([
    ['a key, as version 5 spells it', { tableName: 'items', credentials }],
    [
      'a key, as version 1 spells it',
      { table: 'items', credentials: { accountName: 'contoso', accountKey: 'AAAA' } },
    ],
    [
      'an account beside the credentials',
      { account: 'contoso', table: 'items', credentials: { accountKey: 'AAAA' } },
    ],
    [
      'a signature',
      {
        tableName: 'items',
        credentials: {
          accountId: 'contoso',
          sas: 'sv=1&sig=c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2U%3D',
        },
      },
    ],
    [
      'a function that gets signatures',
      {
        tableName: 'items',
        credentials: {
          accountId: 'contoso',
          sas: () => 'sv=1&sig=c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2U%3D',
        },
      },
    ],
    [
      'a connection string',
      { tableName: 'items', credentials: { connectionString: 'UseDevelopmentStorage=true' } },
    ],
    [
      'null for what the class does not use',
      {
        tableName: 'items',
        credentials,
        signingKey: null,
        cryptoKey: '',
        agent: null,
        monitor: null,
      },
    ],
    ['inMemory as credentials', { tableName: 'items', credentials: 'inMemory' }],
    ['inMemory as the account', { account: 'inMemory', table: 'items', credentials: null }],
    [
      'options that have no effect',
      {
        tableName: 'items',
        credentials,
        agent: new Agent(),
        drain: {},
        component: 'c',
        process: 'p',
      },
    ],
  ])('R-131: takes %s', (_what, options) => {
    expect(Item.setup(options).prototype).toBeInstanceOf(Item)
  })

  it('R-131: warns of options that have no effect, and names what to use', () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    Item.setup({ tableName: 'items', credentials, drain: {}, component: 'c', process: 'p' })
    const texts = warn.mock.calls.map(([text]) => String(text))
    warn.mockRestore()
    expect(texts).toEqual(
      ['drain', 'component', 'process'].map((name) =>
        expect.stringContaining(`setup: ${name} has no effect`),
      ),
    )
  })

  it.each<[string, object]>([
    ['no table', { credentials }],
    ['no credentials', { tableName: 'items' }],
    ['inMemory without credentials', { account: 'inMemory', table: 'items' }],
    ['credentials without an account', { tableName: 'items', credentials: { accessKey: 'AAAA' } }],
    ['credentials without a key', { tableName: 'items', credentials: { accountId: 'contoso' } }],
    [
      'a client id of Taskcluster',
      { table: 'items', account: 'contoso', credentials: { clientId: 'a', accessToken: 'b' } },
    ],
    ['a signingKey that is not needed', { tableName: 'items', credentials, signingKey: 'a' }],
    ['a cryptoKey that is not needed', { tableName: 'items', credentials, cryptoKey: 'a' }],
    ['an agent that is not one', { tableName: 'items', credentials, agent: {} }],
    [
      'an account that is a number',
      { tableName: 'items', credentials: { ...credentials, accountId: 7 } },
    ],
    ['a service that is not one', { tableName: 'items', service: {} }],
    ['a monitor without functions', { tableName: 'items', credentials, monitor: {} }],
    ['a context that is null', { tableName: 'items', credentials, context: null }],
    [
      'a threshold that is text',
      { tableName: 'items', credentials, operationReportThreshold: '5' },
    ],
    ['a context that is not declared', { tableName: 'items', credentials, context: { x: 1 } }],
  ])('R-131: rejects %s', (_what, options) => {
    expect(() => Item.setup(options)).toThrow(invalidSetup)
  })

  it('names an unknown option', () => {
    const options = { tableName: 'items', credentials, tablename: 'x' } as SetupOptions
    expect(() => Item.setup(options)).toThrow(expect.objectContaining({ code: 'UnknownOption' }))
  })
})
