{{- /* The name of a Service begins with a letter, has no dot and does not end with "-"; the name of a release may. */ -}}
{{- define "tributary.name" -}}
{{- $release := .Release.Name | replace "." "-" }}
{{- if regexMatch "^[0-9]" $release }}
{{- $release = printf "tributary-%s" $release }}
{{- else if not (contains "tributary" $release) }}
{{- $release = printf "%s-tributary" $release }}
{{- end }}
{{- $release | trunc 50 | trimAll "-" }}
{{- end }}

{{- define "tributary.selector" -}}
app.kubernetes.io/name: tributary
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end }}

{{- define "tributary.labels" -}}
{{ include "tributary.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "tributary.secretName" -}}
{{- if .Values.secrets.existingName }}{{ .Values.secrets.existingName }}{{ else }}{{ include "tributary.name" . }}{{ end }}
{{- end }}

{{- define "tributary.image" -}}
{{ .Values.image.repository }}{{ if .Values.image.digest }}@{{ .Values.image.digest }}{{ else }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}

{{- /* One variable from the Secret. */ -}}
{{- define "tributary.secretVariable" -}}
- name: {{ .variable }}
  valueFrom:
    secretKeyRef:
      name: {{ include "tributary.secretName" .root | quote }}
      key: {{ .variable }}
      optional: {{ .optional }}
{{- end }}

{{- /* The environment of every process. Only the migration also gets the role that owns the tables. */ -}}
{{- define "tributary.environment" -}}
{{- $chosen := include "tributary.chosenVariables" . }}
{{- $others := list "PORT" "HOST" "TRIBUTARY_DATA_DIR" "TRIBUTARY_DRAIN_SECONDS" "TRIBUTARY_MIGRATION_DATABASE_URL" }}
{{- $chosen }}
{{- range $variable, $value := .Values.settings }}
{{- if or (has $variable $others) (contains (printf "name: %s\n" $variable) $chosen) }}
{{- fail (printf "Remove settings.%s: the chart sets it, from another value or from the Secret" $variable) }}
{{- end }}
{{- if kindIs "bool" $value }}
{{- fail (printf "Quote settings.%s: YAML reads on and off as true and false" $variable) }}
{{- end }}
- name: {{ $variable }}
  value: {{ kindIs "string" $value | ternary $value (toJson $value) | quote }}
{{- end }}
{{- end }}

{{- define "tributary.chosenVariables" -}}
- name: TRIBUTARY_PUBLIC_URL
  value: {{ required "Set publicUrl, for example https://health.example.com" .Values.publicUrl | quote }}
{{- with .Values.trustedProxies }}
- name: TRIBUTARY_TRUSTED_PROXIES
  value: {{ . | quote }}
{{- end }}
{{- with .Values.webhookNetworks }}
- name: TRIBUTARY_WEBHOOK_NETWORKS
  value: {{ . | quote }}
{{- end }}
{{- if .Values.tombstones.existingClaim }}
- name: TRIBUTARY_TOMBSTONE_FILE
  value: /tombstones/tombstones.jsonl
{{- end }}
{{- range $variable := list "DATABASE_URL" "TRIBUTARY_MASTER_KEY" }}
{{ include "tributary.secretVariable" (dict "root" $ "variable" $variable "optional" false) }}
{{- end }}
{{- range $variable := list "REDIS_URL" "TRIBUTARY_SMTP_URL" "OTEL_EXPORTER_OTLP_HEADERS" }}
{{ include "tributary.secretVariable" (dict "root" $ "variable" $variable "optional" true) }}
{{- end }}
{{- include "tributary.providerVariables" . }}
{{- end }}

{{- define "tributary.podSecurity" -}}
automountServiceAccountToken: false
{{- with .Values.serviceAccountName }}
serviceAccountName: {{ . | quote }}
{{- end }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . | quote }}
{{- end }}
# Otherwise Kubernetes sets variables such as TRIBUTARY_SERVICE_HOST, which the service refuses as unknown settings.
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "tributary.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
volumeMounts:
  - name: data
    mountPath: /data
  - name: tmp
    mountPath: /tmp
  {{- if .Values.tombstones.existingClaim }}
  - name: tombstones
    mountPath: /tombstones
  {{- end }}
  {{- with .Values.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{- /* Data and keys are in PostgreSQL and in the Secret, so a pod keeps nothing but its tombstones. */ -}}
{{- define "tributary.volumes" -}}
volumes:
  - name: data
    emptyDir: {}
  - name: tmp
    emptyDir: {}
  {{- with .Values.tombstones.existingClaim }}
  - name: tombstones
    persistentVolumeClaim:
      claimName: {{ . | quote }}
  {{- end }}
  {{- with .Values.extraVolumes }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{- /* Where the pods of a role may run. */ -}}
{{- define "tributary.placement" -}}
{{- with .values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
