import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { readEnvironment } from '../../../packages/cli/src/target/environment.ts'
import { silentShell } from '../silent-shell.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rowkey-env-'))
  return () => rm(folder, { recursive: true })
})

const TEXT = '\uFEFFROWKEY_TARGET=azurite\r\nROWKEY_A=./a\r\n'

it('reads the first variable of a file that begins with a byte order mark', async () => {
  await writeFile(join(folder, '.env'), TEXT)
  expect(await readEnvironment(silentShell({ folder }))).toMatchObject({
    ROWKEY_TARGET: 'azurite',
    ROWKEY_A: './a',
  })
})

it('reads .rowkey.env of the folder of the user', async () => {
  await writeFile(join(folder, '.rowkey.env'), TEXT)
  const shell = silentShell({ environment: { HOME: folder } })
  expect(await readEnvironment(shell)).toMatchObject({ ROWKEY_A: './a' })
})

it('rejects a file in UTF-16, whose variables would have no effect', async () => {
  await writeFile(join(folder, '.env'), TEXT, 'utf16le')
  await expect(readEnvironment(silentShell({ folder }))).rejects.toMatchObject({
    code: 'MissingTarget',
    message: `${join(folder, '.env')} is not UTF-8 text. Save it as UTF-8.`,
  })
})
