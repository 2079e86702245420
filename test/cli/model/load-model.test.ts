import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { expect, it, onTestFinished } from 'vitest'
import { exportsNamed, loadModels } from '../../../packages/cli/src/model/load-model.ts'
import { modelFolder } from './pulled-tables.ts'

it('a module is loaded, and nothing is left of it, nor of a command that was killed', async () => {
  const folder = await modelFolder()
  onTestFinished(() => rm(folder, { recursive: true }))
  const { pid: ended } = spawnSync(process.execPath, ['--version'])
  const others = [
    ...[`.staff.ts.${process.ppid}.mjs`, '.staff.ts.mjs', '.staffs.ts.1.mjs'],
    `.other.ts.${ended}.mjs`,
  ]
  for (const name of [`.staff.ts.${ended}.mjs`, ...others]) await writeFile(join(folder, name), '')
  await writeFile(join(folder, 'staff.ts'), 'export const answer: number = 42')
  const { models } = await loadModels(join(folder, 'staff.ts'))
  expect(models).toEqual({ answer: 42 })
  const left = (await readdir(folder)).filter((name) => name.startsWith('.'))
  expect(left.sort()).toEqual(others.sort())
})

it.each([
  ['does not compile', 'export const = 1', 'Build failed with 1 error:[^]*found "="'],
  ['throws', "throw new Error('no variable DATABASE')", 'no variable DATABASE'],
  ['throws no error', "throw 'no variable'", 'no variable'],
])('a module that %s cannot be loaded, and nothing is left of it', async (_, text, reason) => {
  const folder = await modelFolder()
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'staff.ts')
  await writeFile(path, text)
  await expect(loadModels(path)).rejects.toMatchObject({
    code: 'UnreadableInput',
    message: expect.stringMatching(`^${path} cannot be loaded: ${reason}`),
  })
  expect((await readdir(folder)).filter((name) => name.startsWith('.'))).toEqual([])
})

it('the exports of a module are all, or the one of a name', () => {
  const models = { One: 1, Two: 2 }
  expect(exportsNamed(models, undefined)).toEqual([
    ['One', 1],
    ['Two', 2],
  ])
  expect(exportsNamed(models, 'Two')).toEqual([['Two', 2]])
})

it('a module without esbuild says what to install', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rowkey-no-esbuild-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await expect(loadModels(join(folder, 'staff.ts'))).rejects.toMatchObject({
    code: 'UnreadableInput',
    message: expect.stringContaining('Run: npm install --save-dev esbuild'),
  })
})

it('a module in a folder that does not exist cannot be loaded', async () => {
  const folder = await modelFolder()
  onTestFinished(() => rm(folder, { recursive: true }))
  await expect(loadModels(join(folder, 'missing', 'staff.ts'))).rejects.toMatchObject({
    code: 'UnreadableInput',
    message: expect.stringContaining('cannot be loaded'),
  })
})
