/** Lists what the emitted declarations of a workspace import: only packages that their own package depends on. */
import { readdirSync, readFileSync } from 'node:fs'

let imports = 0
for (const name of readdirSync('packages')) {
  const { dependencies } = JSON.parse(readFileSync(`packages/${name}/package.json`, 'utf8'))
  const text = readFileSync(`packages/${name}/dist/index.d.ts`, 'utf8')
  for (const [, from] of text.matchAll(/(?:from |import\()["']([^"']+)["']/g)) {
    imports++
    if (!from.startsWith('.') && !Object.hasOwn(dependencies, from)) {
      throw new Error(`The declarations of ${name} import ${from}, which it does not depend on.`)
    }
  }
}
if (imports < 20) throw new Error('The declarations name hardly any type.')
console.log(`declarations name ${imports} types by the dependencies of their package`)
