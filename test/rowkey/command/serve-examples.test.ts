import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { localTableService } from '@rowkey/local'
import { connect } from 'rowkey'
import { expect, it } from 'vitest'
import { parseServeOptions } from '../../../packages/rowkey/src/command/serve-options.ts'

const root = join(import.meta.dirname, '../../..')
const textOf = (path: string) => readFileSync(join(root, path), 'utf8')
const dockerfile = textOf('examples/serve/Dockerfile')
const workflow = textOf('examples/serve/github-actions.yml')
const { version } = JSON.parse(textOf('packages/rowkey/package.json'))

it('the Dockerfile starts the command with variables that it knows', () => {
  const line = /^ENV (.*)$/m.exec(dockerfile)?.[1] ?? ''
  const environment = Object.fromEntries(line.split(' ').map((pair) => pair.split('=')))
  expect(parseServeOptions([], environment)).toMatchObject({
    data: '/data',
    host: '0.0.0.0',
    log: 'json',
    port: undefined,
  })
  expect(Object.keys(environment)).toHaveLength(3)
  expect(dockerfile).toMatch(/^EXPOSE 10002$/m)
  expect(dockerfile).toContain("fetch('http://127.0.0.1:10002/_health')")
  expect(dockerfile).toMatch(/^CMD \["node_modules\/\.bin\/rowkey", "serve"\]$/m)
})

it('both examples install the version of the package, and the engine of folders that it names', () => {
  const [major] = version.split('.')
  for (const text of [dockerfile, workflow]) expect(text).toMatch(`rowkey@${major}`)
  const { devDependencies } = JSON.parse(textOf('package.json'))
  expect(dockerfile).toContain(`classic-level@${devDependencies['classic-level']}`)
})

it('the workflow starts the command with options that it knows, and waits for it', () => {
  const [, args = ''] = /bin\/rowkey serve (.*?) > tables\.log &$/m.exec(workflow) ?? []
  expect(parseServeOptions(args.split(' '))).toMatchObject({
    port: 10_002,
    seed: 'tests/seed.json',
    log: 'text',
  })
  expect(workflow).toContain('http://127.0.0.1:10002/_health')
})

it('the first rows of the example can be stored', async () => {
  const local = localTableService()
  await local.seed(textOf('examples/serve/seed.json'))
  const account = connect(local.connectionString(), { transport: local.transport })
  expect((await account.table('people').get(['Smith', 'Jeff'])).get('points')?.value).toBe(5n)
  await account.close()
  await local.close()
})
