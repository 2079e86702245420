import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import process from 'node:process'
import { localTableService } from '@rowkey/local'
import { Account } from '@rowkey/mapper'
import { tableService } from '@rowkey/rest'
import { DynamicEntity } from 'rowkey'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CERTIFICATE } from '../../support/certificate.ts'
import { runProcess } from '../processes/built-command.ts'

/** The tokens that the service received. */
const tokens: string[] = []
let folder: string
let address: string

const service = localTableService({
  bearer: (token) => {
    tokens.push(token)
    return token.startsWith('good')
  },
})

beforeAll(async () => {
  const { connectionString } = await service.listen({ port: 0, tls: CERTIFICATE })
  address =
    /TableEndpoint=(.*)/.exec(connectionString)?.[1]?.replace('127.0.0.1', 'localhost') ?? ''
  const transport = service.transport
  const account = new Account(
    tableService({ connectionString: service.connectionString(), transport }),
  )
  await account.createTable('people')
  await account.table('people').insert(new DynamicEntity('a', '1', { n: 1 }))
  folder = await mkdtemp(join(tmpdir(), 'rowkey-entra-'))
  await writeFile(join(folder, 'cert.pem'), CERTIFICATE.cert)
})
afterAll(async () => {
  await service.close()
  await rm(folder, { recursive: true })
})

/** Installs a program called `az` that prints something, and returns the variables with which the command finds it. */
const withAz = async (script: string) => {
  const path = join(folder, 'az')
  await writeFile(path, `#!/bin/sh\n${script}\n`)
  await chmod(path, 0o755)
  return {
    NODE_EXTRA_CA_CERTS: join(folder, 'cert.pem'),
    PATH: `${folder}${delimiter}${process.env.PATH}`,
  }
}

const COUNT = ['count', 'people', '-p', 'a', '--auth', 'entra']

describe.skipIf(process.platform === 'win32')('--auth entra', () => {
  it('uses a token of the Azure CLI for the scope of the service', async () => {
    const environment = await withAz(
      `echo "$@" > ${folder}/asked; echo '{"accessToken":"good-1","expiresOn":"2099-01-01 00:00:00.000000"}'`,
    )
    const found = await runProcess([...COUNT, '--target', address], environment)
    expect(found).toEqual({ code: 0, printed: '1\n', warned: '' })
    expect(tokens.pop()).toBe('good-1')
  })

  it('can be said by a profile', async () => {
    const environment = await withAz(
      `echo '{"accessToken":"good-2","expiresOn":"x","expires_on":4070908800}'`,
    )
    const profile = { ROWKEY_HERE: address, ROWKEY_HERE_AUTH: 'entra' }
    const args = ['count', 'people', '-p', 'a', '--target', '@here']
    expect((await runProcess(args, { ...environment, ...profile })).printed).toBe('1\n')
    expect(tokens.pop()).toBe('good-2')
  })

  it('says what the Azure CLI says, and never the token', async () => {
    const signedOut = await withAz(`echo "ERROR: Please run 'az login'" >&2; exit 1`)
    const refused = await runProcess([...COUNT, '--target', address], signedOut)
    expect([refused.code, refused.warned]).toEqual([
      1,
      expect.stringContaining("The Azure CLI says: ERROR: Please run 'az login'"),
    ])
    const expired = await withAz(
      `echo '{"accessToken":"secret-token","expiresOn":"x","expires_on":4070908800}'`,
    )
    const rejected = await runProcess([...COUNT, '--target', address], expired)
    expect([rejected.code, rejected.warned]).toEqual([1, expect.not.stringContaining('secret')])
  })

  it.each([
    ['a connection string', 'UseDevelopmentStorage=true'],
    ['plain http', 'http://contoso.table.core.windows.net'],
    ['a signature', 'https://contoso.table.core.windows.net/?sv=2019-02-02&sig=x'],
  ])('rejects %s', async (_, target) => {
    const found = await runProcess([...COUNT, '--target', target])
    expect([found.code, found.warned]).toEqual([2, expect.stringContaining('needs the address of')])
  })

  it('uses @azure/identity of the project', async () => {
    const home = join(folder, 'node_modules/@azure/identity')
    await mkdir(home, { recursive: true })
    await writeFile(join(home, 'package.json'), '{"type":"module","exports":"./index.js"}')
    await writeFile(
      join(home, 'index.js'),
      `export class DefaultAzureCredential {
        getToken = async (scope) => ({ token: 'good-' + scope, expiresOnTimestamp: 4070908800000 })
      }`,
    )
    const environment = await withAz('exit 1')
    const args = [...COUNT, '--target', address]
    expect((await runProcess(args, environment, '', folder)).printed).toBe('1\n')
    expect(tokens.pop()).toBe('good-https://storage.azure.com/.default')
  })
})
