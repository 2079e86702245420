import { expect, it } from 'vitest'
import { loadStudio } from '../../../packages/cli/src/studio/load-studio.ts'

const notFound = (name: string) =>
  Object.assign(new RangeError(`Cannot find package '${name}' imported from x`), {
    code: 'ERR_MODULE_NOT_FOUND',
  })

it('names the command of npm when @rowkey/studio is not installed', async () => {
  const load = async (name: string) => Promise.reject(notFound(name))
  await expect(loadStudio(load)).rejects.toMatchObject({
    code: 'MissingDependency',
    message: expect.stringMatching(/npm install @rowkey\/studio$/),
  })
})

it('throws the error of a package that @rowkey/studio itself lacks', async () => {
  const load = async () => Promise.reject(notFound('preact'))
  await expect(loadStudio(load)).rejects.toThrow("'preact'")
})

it('returns @rowkey/studio when it is installed', async () => {
  const { startStudio } = await loadStudio(() => import('@rowkey/studio'))
  expect(startStudio).toBeTypeOf('function')
})
