import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readEnvironment } from '../../../packages/cli/src/target/environment.ts'
import { resolveTarget } from '../../../packages/cli/src/target/resolve-target.ts'
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
