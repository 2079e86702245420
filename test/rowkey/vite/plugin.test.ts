import { rowkey } from 'rowkey/vite'
import { describe, expect, it } from 'vitest'
import { casesToPlay } from '../../support/cases-to-play.ts'

const decorated = `import { Entity } from 'rowkey'
@Entity('people')
export class Customer {
  @PartitionKey() name!: string
}
`

describe.each(casesToPlay(['esbuild', 'typescript'] as const))(
  'rowkey/vite with %s',
  (compiler) => {
    const plugin = rowkey({ compiler })

    it('lowers the decorators of a module, with a source map', async () => {
      const output = await plugin.transform(decorated, '/src/customer.ts?v=1')
      expect(output?.code).not.toMatch(/^\s*@/m)
      expect(output?.code).not.toContain('sourceMappingURL')
      expect(output?.code).toContain('PartitionKey()')
      expect(JSON.parse(output?.map ?? '')).toMatchObject({ version: 3 })
    })

    it('keeps JSX for the tool', async () => {
      const code = `${decorated}export const title = <b>Customer</b>\n`
      const output = await plugin.transform(code, '/src/customer.tsx')
      expect(output?.code).toContain('<b>Customer</b>')
    })
  },
)

describe('rowkey/vite', () => {
  it.each([
    [
      { compiler: 'swc' },
      `compiler of the plugin rowkey/vite must be 'esbuild' or 'typescript'; got "swc".`,
    ],
    [{ compilr: 'esbuild' }, "the plugin rowkey/vite has no option 'compilr'."],
    [null, 'The options of the plugin rowkey/vite must be an object.'],
  ])('rejects the options %j when it is made', (options, message) => {
    expect(() => rowkey(options as never)).toThrow(message)
  })

  it.each([
    ['no decorator', '/src/a.ts', 'export const a: number = 1'],
    [
      'a JSDoc tag',
      '/src/a.ts',
      '/**\n * @param a - a number\n */\nexport const f = (a: number) => a',
    ],
    ['a package name', '/src/a.ts', 'import { a } from \'@rowkey/rest\'\nconst b = "x@y.z"'],
    ['a style sheet', '/src/a.css', '@media print {}'],
    ['a dependency', '/node_modules/a/a.js', '@Entity() class A {}'],
  ])('leaves a module with %s as it is', async (_, id, code) => {
    expect(await rowkey().transform(code, id)).toBeUndefined()
  })

  it.each([
    ['export class A { b = 1; @Property() c = 2 }'],
    ['@Entity() export class A {}'],
    ['export default @Entity() class A {}'],
    ['class A {\n  @(decorators.b()) c = 1\n}'],
  ])('finds the decorator in %j', async (code) => {
    expect(await rowkey().transform(code, '/src/a.ts')).toBeDefined()
  })
})
