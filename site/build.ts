/** Builds the site into site/dist: `npm run docs:site -- --base /rowkey/0.1/ --version 0.1 --ref v0.1.0 --repository <url>`. */
import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'

const site = import.meta.dirname

const { values } = parseArgs({
  options: {
    base: { type: 'string' },
    version: { type: 'string' },
    ref: { type: 'string' },
    repository: { type: 'string' },
  },
})
for (const [name, value] of Object.entries(values)) {
  process.env[`SITE_${name.toUpperCase()}`] = value
}

installOnce()
const { build } = await import('vitepress')
await build(site)
const { buildPlayground } = await import('./playground/build.ts')
await buildPlayground()

/** Installs what the site needs, unless that is what node_modules has. */
function installOnce(): void {
  const installed = join(site, 'node_modules/.package-lock.json')
  const wanted = join(site, 'package-lock.json')
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(wanted).mtimeMs) return
  execFileSync('npm', ['ci', '--prefix', site, '--no-audit', '--no-fund'], { stdio: 'inherit' })
}
