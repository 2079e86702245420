import { expect, it } from 'vitest'
import { loadCli } from '../../../packages/rowkey/src/command/cli-commands.ts'

const notFound = (name: string) =>
  Object.assign(new RangeError(`Cannot find package '${name}' imported from x`), {
    code: 'ERR_MODULE_NOT_FOUND',
  })

it('names the command of npm when @rowkey/cli is not installed', async () => {
  const load = async (name: string) => Promise.reject(notFound(name))
  await expect(loadCli('export', load)).rejects.toMatchObject({
    code: 'MissingDependency',
    message: expect.stringMatching(/^rowkey has no command export .*npm install @rowkey\/cli$/),
  })
})

it('throws the error of a package that @rowkey/cli itself lacks', async () => {
  const load = async () => Promise.reject(notFound('commander'))
  await expect(loadCli('export', load)).rejects.toThrow("'commander'")
})

it('returns @rowkey/cli when it is installed', async () => {
  const { runCommand } = await loadCli('query', () => import('@rowkey/cli'))
  expect(runCommand).toBeTypeOf('function')
})
