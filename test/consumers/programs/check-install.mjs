// Fails when a package manager installed anything that runs a script at installation, or a native module.
import { readdirSync, readFileSync } from 'node:fs'

const found = readdirSync('node_modules', { recursive: true, withFileTypes: true }).flatMap(
  (entry) => {
    const path = `${entry.parentPath ?? entry.path}/${entry.name}`
    if (entry.name.endsWith('.node') || entry.name === 'binding.gyp') return [path]
    if (entry.name !== 'package.json' || !entry.isFile()) return []
    const { scripts = {} } = JSON.parse(readFileSync(path, 'utf8'))
    return ['preinstall', 'install', 'postinstall']
      .filter((name) => scripts[name])
      .map((name) => `${path}: ${name}`)
  },
)
if (found.length > 0) throw new Error(found.join('\n'))
console.log('no script and no native module was installed')
