{{- define "tributary.name" -}}
{{- if contains "tributary" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-tributary" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "tributary.selector" -}}
app.kubernetes.io/name: tributary
app.kubernetes.io/instance: {{ .Release.Name }}
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
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- /* One variable from the Secret. */ -}}
{{- define "tributary.secretVariable" -}}
- name: {{ .variable }}
  valueFrom:
    secretKeyRef:
      name: {{ include "tributary.secretName" .root }}
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
{{- if .Values.tombstones.existingClaim }}
- name: TRIBUTARY_TOMBSTONE_FILE
  value: /tombstones/tombstones.jsonl
{{- end }}
{{- range $variable := list "DATABASE_URL" "TRIBUTARY_MASTER_KEY" }}
{{ include "tributary.secretVariable" (dict "root" $ "variable" $variable "optional" false) }}
{{- end }}
{{- range $variable := list "REDIS_URL" "TRIBUTARY_SMTP_URL" }}
{{ include "tributary.secretVariable" (dict "root" $ "variable" $variable "optional" true) }}
{{- end }}
{{- include "tributary.providerVariables" . }}
{{- end }}

{{- define "tributary.podSecurity" -}}
automountServiceAccountToken: false
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
      claimName: {{ . }}
  {{- end }}
{{- end }}
