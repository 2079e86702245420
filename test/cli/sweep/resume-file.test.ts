import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readPosition, writePosition } from '../../../packages/cli/src/sweep/resume-file.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rowkey-resume-'))
})
afterAll(() => rm(folder, { recursive: true }))

it('reads the position that was written last', async () => {
  const path = join(folder, 'a')
  expect(await readPosition(path, { table: 'people' })).toBeUndefined()
  await writePosition(path, { table: 'people' }, { rows: 1 })
  await writePosition(path, { table: 'people', filter: undefined }, { rows: 2 })
  expect(await readPosition(path, { table: 'people' })).toEqual({ rows: 2 })
  expect(await readdir(folder)).toEqual(['a'])
})

it('rejects a file that is not a position', async () => {
  const path = join(folder, 'rows.ndjson')
  await writeFile(path, '{"PartitionKey":"a"}\n{"PartitionKey":"b"}\n')
  await expect(readPosition(path, { table: 'people' })).rejects.toMatchObject({
    code: 'ResumeMismatch',
    message: expect.stringContaining('is not the position of a command'),
  })
})

it('rejects a file of JSON that is not an object', async () => {
  const path = join(folder, 'null')
  await writeFile(path, 'null')
  await expect(readPosition(path, { table: 'people' })).rejects.toMatchObject({
    code: 'ResumeMismatch',
  })
})

it('fails when the file cannot be read', async () => {
  await expect(readPosition(folder, { table: 'people' })).rejects.toThrow('EISDIR')
})

it('rejects the position of another command', async () => {
  const path = join(folder, 'b')
  await writePosition(path, { table: 'people' }, {})
  await expect(readPosition(path, { table: 'orders' })).rejects.toMatchObject({
    code: 'ResumeMismatch',
    message: expect.stringContaining('"table":"people"'),
  })
})
