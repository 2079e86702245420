/** What `npm run check` tests besides `npm test`: what takes long, and shows the same whatever compiles decorators. */
import { defineConfig } from 'vitest/config'
import { commands, project } from './vitest.config.ts'

export default defineConfig(project({ name: 'commands', include: [...commands] }))
