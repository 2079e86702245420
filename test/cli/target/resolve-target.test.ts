import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readEnvironment } from '../../../packages/cli/src/target/environment.ts'
import {
  plainAddress,
  resolveTarget,
  traitsOf,
} from '../../../packages/cli/src/target/resolve-target.ts'
import { runCli } from '../run-cli.ts'
import { silentShell } from '../silent-shell.ts'

const AZURE = 'DefaultEndpointsProtocol=https;AccountName=contoso;AccountKey=c2VjcmV0'

it.each([
  ['azurite', 'UseDevelopmentStorage=true'],
  ['./data', 'file:./data'],
  ['../data', 'file:../data'],
  ['/var/data', 'file:/var/data'],
  ['C:\\data', 'file:C:\\data'],
  ['~/data', 'file:/home/me/data'],
  ['file:./data', 'file:./data'],
  [AZURE, AZURE],
])('reads the target %s', (target, opened) => {
  expect(resolveTarget(target, { HOME: '/home/me' })).toBe(opened)
})

it('reads ROWKEY_TARGET, then the variables of the tools of Azure', () => {
  expect(resolveTarget(undefined, { ROWKEY_TARGET: 'azurite' })).toBe('UseDevelopmentStorage=true')
  const found = resolveTarget(undefined, { AZURE_STORAGE_CONNECTION_STRING: AZURE })
  expect(found).toMatchObject({ endpoint: { account: 'contoso' } })
})

it('reads a profile, and lists the others when one is missing', () => {
  const environment = { ROWKEY_PRODUCTION: AZURE, ROWKEY_WEST_EU: './west', ROWKEY_TARGET: 'x' }
  expect(resolveTarget('@production', environment)).toBe(AZURE)
  expect(resolveTarget('@west-eu', environment)).toBe('file:./west')
  expect(() => resolveTarget('@prod', environment)).toThrow(/ROWKEY_PROD .*@production, @west-eu/)
  expect(() => resolveTarget('@prod', environment)).toThrow(expect.not.stringContaining('c2VjcmV0'))
})

it('finds the folder of the user also where no variable names it', () => {
  expect(resolveTarget('~/data', {})).toBe(`file:${homedir()}/data`)
})

it.each(['@target', '@profiles', '@production-flavour', '@production-auth', '@itself', '@other'])(
  'does not take %s for a profile',
  (target) => {
    const environment = {
      ...{ ROWKEY_TARGET: './a', ROWKEY_PROFILES: './b', ROWKEY_PRODUCTION_FLAVOUR: 'file:cosmos' },
      ...{
        ROWKEY_PRODUCTION_AUTH: 'file:entra',
        ROWKEY_ITSELF: '@itself',
        ROWKEY_OTHER: '@itself',
      },
    }
    expect(() => resolveTarget(target, environment)).toThrow(`profile ${target} does not exist`)
  },
)

it('lists no profiles when no variable names one', () => {
  expect(() => resolveTarget('@prod', {})).toThrow(/Set ROWKEY_PROD .*~\/\.rowkey\.env\.$/)
})

it('reads the kind and the sign-in of a profile, which options override', () => {
  const environment = { ROWKEY_PROD_FLAVOUR: 'cosmos', ROWKEY_PROD_AUTH: 'entra' }
  const found = { flavour: 'cosmos', auth: 'entra' }
  expect(traitsOf({ target: '@prod' }, environment)).toEqual(found)
  expect(traitsOf({}, { ...environment, ROWKEY_TARGET: '@prod' })).toEqual(found)
  expect(traitsOf({ target: '@prod', flavour: 'storage' }, environment).flavour).toBe('storage')
  const auth = { ROWKEY_PROD_FLAVOUR: '', ROWKEY_PROD_AUTH: 'key' }
  expect(traitsOf({ target: '@prod', auth: 'entra' }, auth)).toEqual({ auth: 'entra' })
  expect(() => traitsOf({ target: '@prod' }, auth)).toThrow('ROWKEY_PROD_AUTH must be entra.')
})

const ADDRESS = 'https://contoso.table.core.windows.net'

it.each([
  [undefined, { AZURE_STORAGE_ACCOUNT: 'contoso', ROWKEY_TARGET: '' }],
  [undefined, { AZURE_STORAGE_ACCOUNT: 'other', ROWKEY_TARGET: ADDRESS }],
  [` ${ADDRESS} `, { AZURE_STORAGE_ACCOUNT: 'other' }],
  ['@prod', { ROWKEY_PROD: ADDRESS }],
])('reads the address %s without a credential from %j', (target, environment) => {
  expect(plainAddress(target, environment)).toBe(ADDRESS)
})

it.each([
  [undefined, {}],
  [undefined, { AZURE_STORAGE_CONNECTION_STRING: AZURE }],
  [`${ADDRESS}?sv=2019-02-02&sig=x`, {}],
  ['http://contoso.table.core.windows.net', {}],
  ['./data', { AZURE_STORAGE_ACCOUNT: 'contoso' }],
  ['azurite', {}],
])('rejects %s with a sign-in from %j', (target, environment) => {
  expect(() => plainAddress(target, environment)).toThrow('--auth entra needs the address of')
})

it('passes on why a variable of the tools of Azure is invalid', () => {
  const environment = { AZURE_STORAGE_CONNECTION_STRING: 'AccountName=contoso;AccountKey=@@' }
  expect(() => resolveTarget(undefined, environment)).toThrow('The account key is not base64.')
})

it('an empty variable counts as missing, and an empty option opens nothing', () => {
  const environment = {
    ROWKEY_TARGET: '',
    ROWKEY_EMPTY: '',
    AZURE_STORAGE_CONNECTION_STRING: AZURE,
  }
  expect(resolveTarget(undefined, environment)).toMatchObject({ endpoint: { account: 'contoso' } })
  for (const target of ['', '@empty']) {
    expect(() => resolveTarget(target, environment)).toThrow('The target is neither')
  }
})

it.each(['data', 'production', 'c2VjcmV0'])('names what a target can be, for %s', (target) => {
  for (const read of [
    () => resolveTarget(target, {}),
    () => resolveTarget(undefined, { ROWKEY_TARGET: target }),
  ]) {
    expect(read).toThrow(/ a @profile, nor a folder, which begins with \.\/, /)
    expect(read).toThrow(expect.not.stringContaining(target === 'data' ? "'data'" : target))
  }
})

it('names every way to give a target when none is known', () => {
  expect(() => resolveTarget(undefined, {})).toThrow(
    expect.objectContaining({
      code: 'MissingTarget',
      message: expect.stringContaining('--target'),
    }),
  )
})

it('reads .env of the current folder, which the environment overrides', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rowkey-env-'))
  try {
    await writeFile(join(folder, '.env'), 'ROWKEY_TARGET="azurite"\nROWKEY_A=./a\n')
    await writeFile(join(folder, 'profiles'), 'ROWKEY_A=./b\nROWKEY_B=./c\n')
    const environment = { ROWKEY_PROFILES: join(folder, 'profiles'), ROWKEY_TARGET: './mine' }
    expect(await readEnvironment(silentShell({ folder, environment }))).toMatchObject({
      ROWKEY_TARGET: './mine',
      ROWKEY_A: './a',
      ROWKEY_B: './c',
    })
  } finally {
    await rm(folder, { recursive: true })
  }
})

it('names the command, not the library, for a target that it cannot open', async () => {
  for (const target of ['foo:bar', 'https://contoso.table.core.windows.net/', 'a=b;c']) {
    const { code, warned } = await runCli(['tables', '--target', target])
    expect([code, warned]).toEqual([2, expect.not.stringMatching(/connect\(|credential \}/)])
  }
})
