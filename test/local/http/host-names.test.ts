import { InputError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { checkHostName, isLoopback } from '../../../packages/local/src/http/host-names.ts'
import { listenOptions } from '../../../packages/local/src/service/listen-options.ts'

describe('checkHostName', () => {
  it.each([
    '127.0.0.1:10002',
    '[::1]:10002',
    '[::ffff:127.0.0.1]:10002',
    '10.1.2.3',
    'localhost:10002',
    'LOCALHOST.',
    'contoso.table.localhost:10002',
    'azurite:10002',
    'host.docker.internal:10002',
    'contoso-secondary.table.core.windows.net',
    'contoso.z12.table.storage.azure.net',
    'contoso.table.cosmos.azure.com:443',
    'contoso.table.cosmosdb.azure.com',
    'tables.example.com',
    'contoso.Tables.Example.com:80',
  ])('accepts %s', (host) => {
    expect(() => checkHostName(host, ['tables.example.com'])).not.toThrow()
  })

  it.each([
    'evil.example.com:10002',
    'devstoreaccount1.evil.com',
    'localhost.evil.com',
    '127.0.0.1.evil.com',
    'eviltables.example.com',
    'table.core.windows.net.evil.com.',
    '1.2.3.4.5',
    '[evil.example.com]',
  ])('rejects %s, which a stranger may own', (host) => {
    expect(() => checkHostName(host, ['tables.example.com'])).toThrow(
      expect.objectContaining({
        code: 'InvalidHeaderValue',
        message: expect.stringContaining('--allow-host'),
      }),
    )
  })
})

describe('the hosts of listen', () => {
  it('may have any case', () => {
    const hosts = ['Tables.Example.com', 'x']
    expect(() => listenOptions.check({ hosts }, 'listen')).not.toThrow()
  })

  it.each<{ hosts: unknown }>([
    { hosts: ['http://x'] },
    { hosts: ['x:80'] },
    { hosts: [''] },
    { hosts: ['a..b'] },
    { hosts: ['tables.example.com', 'a b'] },
    { hosts: [5] },
    { hosts: 'tables.example.com' },
    { hosts: null },
  ])('rejects %j', ({ hosts }) => {
    const options = { hosts } as { hosts: readonly string[] }
    expect(() => listenOptions.check(options, 'listen')).toThrow(InputError)
  })
})

describe('isLoopback', () => {
  it('recognizes addresses that only this machine reaches', () => {
    expect(['127.0.0.1', '127.1.2.3', '::1'].every(isLoopback)).toBe(true)
    expect(['0.0.0.0', '::', '192.168.0.1', '12.7.0.0'].some(isLoopback)).toBe(false)
  })
})
