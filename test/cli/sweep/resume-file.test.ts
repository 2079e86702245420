import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readPosition, writePosition } from '../../../packages/cli/src/sweep/resume-file.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rowkey-resume-'))
})
afterAll(() => rm(folder, { recursive: true }))

const isRows = (value: unknown): value is { readonly rows: number } => Object(value).rows > 0

it('reads the position that was written last', async () => {
  const path = join(folder, 'a')
  expect(await readPosition(path, { table: 'people' }, isRows)).toBeUndefined()
  await writePosition(path, { table: 'people' }, { rows: 1 })
  await writePosition(path, { table: 'people', filter: undefined }, { rows: 2 })
  expect(await readPosition(path, { table: 'people' }, isRows)).toEqual({ rows: 2 })
  expect(await readdir(folder)).toEqual(['a'])
})

it('rejects a file that is not a position', async () => {
  const path = join(folder, 'rows.ndjson')
  await writeFile(path, '{"PartitionKey":"a"}\n{"PartitionKey":"b"}\n')
  await expect(readPosition(path, { table: 'people' }, isRows)).rejects.toMatchObject({
    code: 'ResumeMismatch',
    message: expect.stringContaining('is not the position of a command'),
  })
})

it.each(['null', '{"table":"people","position":[null]}'])(
  'rejects the position %s',
  async (text) => {
    const path = join(folder, 'null')
    await writeFile(path, text)
    await expect(readPosition(path, { table: 'people' }, isRows)).rejects.toMatchObject({
      code: 'ResumeMismatch',
    })
  },
)

it.skipIf(process.platform === 'win32')(
  'is readable by its user only, and follows no link',
  async () => {
    const path = join(folder, 'private')
    await writePosition(path, { table: 'people' }, { rows: 1 })
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    const other = join(folder, 'other')
    await writeFile(other, 'precious')
    await symlink(other, join(folder, 'planted.new'))
    await expect(
      writePosition(join(folder, 'planted'), { table: 'people' }, { rows: 1 }),
    ).rejects.toThrow('ELOOP')
    expect(await readFile(other, 'utf8')).toBe('precious')
  },
)

it('fails when the file cannot be read', async () => {
  await expect(readPosition(folder, { table: 'people' }, isRows)).rejects.toThrow('EISDIR')
})

it('rejects the position of another command', async () => {
  const path = join(folder, 'b')
  await writePosition(path, { table: 'people' }, { rows: 1 })
  await expect(readPosition(path, { table: 'orders' }, isRows)).rejects.toMatchObject({
    code: 'ResumeMismatch',
    message: expect.stringContaining('"table":"people"'),
  })
})

it.skipIf(process.platform !== 'linux')(
  'in a folder that cannot be written, a command without that option shows what the system says',
  async () => {
    const written = writePosition('/sys/rowkey', { command: 'upgrade' }, { rows: 1 })
    await expect(written).rejects.toMatchObject({ code: expect.stringMatching(/^E[A-Z]+$/) })
  },
)

it('in a folder that does not exist, a command shows what the system says', async () => {
  const path = join(folder, 'missing', 'position')
  const written = writePosition(path, { command: 'import' }, { rows: 1 })
  await expect(written).rejects.toMatchObject({ code: 'ENOENT' })
})

it.skipIf(process.platform !== 'linux').each(['import', 'copy', 'delete', 'set'])(
  'in a folder that cannot be written, %s names the option for another one',
  async (command) => {
    // The system lets root make no files there, either.
    await expect(writePosition('/sys/rowkey', { command }, { rows: 1 })).rejects.toMatchObject({
      code: 'InvalidArgument',
      message: expect.stringContaining('Give --resume-file'),
    })
  },
)
