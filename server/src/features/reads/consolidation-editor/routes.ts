// The editor of a user's consolidation, for the dashboard. Changes and previews are calls of the public API.
import { type Route, route } from '../../../platform/http/route.ts';
import { editorReply, presentEditor } from './present-editor.ts';
import { type Editor, readEditor } from './read-editor.ts';

export const consolidationEditorRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/dashboard/api/:environment/users/:user_id/consolidation',
    operationId: 'readConsolidationEditor',
    tag: 'Consolidation',
    summary: "Read a user's consolidation with the sources of every key, their order and the values of the week",
    access: { to: 'member', role: 'viewer' },
    healthDataOf: 'path_user',
    cost: 'large_read',
    replies: { 200: editorReply },
    parse: ({ params }) => ({ userId: params.user_id }),
    present: (editor: Editor) => ({ status: 200, body: presentEditor(editor) }),
    errors: ['not_found'],
    handle: readEditor,
  }),
];
